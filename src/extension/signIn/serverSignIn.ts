import { visible } from '../../base/visibleText.ts';
import { quote } from '../../config/quote.ts';
import type { ResolvedHttpServer, ResolvedServer } from '../../config/resolve.ts';
import type { OAuthAuthorizer } from '../../transports/authorization/oauthAuthorizer.ts';
import type { GrantStore, Person, SignIn } from '../../transports/authorization/signIn.ts';
import type { SignedOut } from '../../transports/authorization/signOut.ts';

/** What a sign-in that the user began came to. */
export type SignInOutcome =
  | { readonly kind: 'signedIn' }
  /** The user has given it up. */
  | { readonly kind: 'cancelled' }
  | { readonly kind: 'failed'; readonly message: string };

/** What signing in needs of the editor. */
export interface SignInSurroundings {
  readonly store: GrantStore;
  /** The user, who is sent to no page before they have said that they want to sign in. */
  readonly person: Person;
  /** The product's version. */
  readonly version: string;
}

/** The user's proxies and certificates are the editor's. */
const NETWORK = 'editor';

/** How `createAuthorizer` makes what signs in to a server; undefined where nobody can. */
type CreateAuthorizer = (server: ResolvedServer, signIn: SignIn) => OAuthAuthorizer | undefined;

/** Whether the user has asked to sign in, from their wish to its outcome; it aborts when they give it up. */
interface Moment {
  asked: AbortController | undefined;
}

/** The sign-in to one server. A person is there for it only between their wish to sign in and its outcome. */
export class ServerSignIn {
  readonly authorizer: OAuthAuthorizer;
  readonly #moment: Moment;
  readonly #server: ResolvedHttpServer;
  readonly #around: SignInSurroundings;
  #outcome: Promise<SignInOutcome> | undefined;

  /** Undefined for a server that nobody can sign in to. */
  static create(
    server: ResolvedServer,
    around: SignInSurroundings,
    createAuthorizer: CreateAuthorizer,
  ): ServerSignIn | undefined {
    if (server.kind !== 'http' && server.kind !== 'sse') return undefined;
    const moment: Moment = { asked: undefined };
    const authorizer = createAuthorizer(server, {
      store: around.store,
      network: NETWORK,
      get person() {
        return moment.asked && present(around.person, moment.asked.signal);
      },
      advice: adviceFor(server.name),
      tokenAdvice: 'Put its token into "headers" of the entry, as in "Authorization": "Bearer …".',
      program: { name: 'MCP Rosetta', version: around.version },
    });
    return authorizer && new ServerSignIn(authorizer, moment, server, around);
  }

  private constructor(
    authorizer: OAuthAuthorizer,
    moment: Moment,
    server: ResolvedHttpServer,
    around: SignInSurroundings,
  ) {
    this.authorizer = authorizer;
    this.#moment = moment;
    this.#server = server;
    this.#around = around;
  }

  /** The server's address, by which its sign-in is kept. */
  get address(): string {
    return new URL(this.#server.url).href;
  }

  /** Signs in because the user wants it; whoever wants it meanwhile shares the outcome. */
  signIn(): Promise<SignInOutcome> {
    this.#outcome ??= this.#signIn().finally(() => {
      this.#moment.asked = undefined;
      this.#outcome = undefined;
    });
    return this.#outcome;
  }

  /** Gives up the sign-in that is under way. */
  cancel(): void {
    this.#moment.asked?.abort();
  }

  /** Forgets the sign-in, here and, where that is possible, where it came from. */
  async signOut(): Promise<SignedOut> {
    const { url, oauth = {} } = this.#server;
    const { signOut } = await import('../../transports/authorization/signOut.ts');
    return signOut(new URL(url), oauth, { store: this.#around.store, network: NETWORK });
  }

  async #signIn(): Promise<SignInOutcome> {
    const asked = new AbortController();
    this.#moment.asked = asked;
    const verdict = await this.authorizer.signIn();
    if (verdict.kind === 'retry') return { kind: 'signedIn' };
    return asked.signal.aborted
      ? { kind: 'cancelled' }
      : { kind: 'failed', message: visible(withoutAdvice(verdict.message, this.#server.name)) };
  }
}

function adviceFor(server: string): string {
  return `Choose "Sign In" for ${quote(server)} in the view MCP Rosetta.`;
}

/** What a server that needs a sign-in says, for a place where the button is at hand. */
export function withoutAdvice(message: string, server: string): string {
  return message.replace(adviceFor(server), '').trimEnd();
}

/** The user, who can also give up what they have asked for. */
function present(person: Person, isOver: AbortSignal): Person {
  return {
    listen: async (wanted) => {
      const redirects = await person.listen(wanted);
      return {
        url: redirects.url,
        next: (state, signal) => redirects.next(state, AbortSignal.any([signal, isOver])),
        close: () => redirects.close(),
      };
    },
    open: (page) => {
      if (!isOver.aborted) person.open(page);
    },
    patienceMs: person.patienceMs,
  };
}
