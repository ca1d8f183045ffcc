import type { SignInEvent } from '../transports/authorization/oauthAuthorizer.ts';
import type { TransportFailure } from '../transports/transport.ts';
import type { ServerState } from './events.ts';

/** The state of a server as a person is shown it: what became of its start, unless a sign-in is under way or wanted. */
export class CurrentState {
  readonly #onChange: (state: ServerState) => void;
  #own: ServerState = { kind: 'stopped' };
  /** What a sign-in makes of the state, until it is over. */
  #signingIn: ServerState | undefined;

  constructor(onChange: (state: ServerState) => void) {
    this.#onChange = onChange;
  }

  get shown(): ServerState {
    return this.#signingIn ?? this.#own;
  }

  /** True after a failure, whose reason is to be seen for as long as nothing new is tried. */
  get hasFailed(): boolean {
    return this.#own.kind === 'failed' || this.#own.kind === 'needsSignIn';
  }

  set(state: ServerState): void {
    const before = this.shown;
    this.#own = state;
    // Beneath a sign-in that is wanted, a person sees nothing of it.
    if (this.shown !== before) this.#onChange(this.shown);
  }

  fail({ kind, message }: TransportFailure): void {
    this.set({ kind: kind === 'sign-in' ? 'needsSignIn' : 'failed', message });
  }

  onSignIn(event: Exclude<SignInEvent, { kind: 'notKept' }>): void {
    const before = this.#signingIn;
    this.#signingIn = this.#during(event);
    if (this.#signingIn !== before) this.#onChange(this.shown);
  }

  #during(event: Exclude<SignInEvent, { kind: 'notKept' }>): ServerState | undefined {
    if (event.kind === 'asking') return { kind: 'signingIn' };
    // A server that is being opened tells by its failure, once whoever waits for it has been answered.
    return event.kind === 'failed' && this.#own.kind === 'running'
      ? { kind: 'needsSignIn', message: event.message }
      : undefined;
  }
}
