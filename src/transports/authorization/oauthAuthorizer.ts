import { Emitter } from '../../base/emitter.ts';
import type { Authorizer, Demand, SignInVerdict, Verdict } from './authorizer.ts';
import { bearerChallenge, readChallenges, type Challenge } from './challenge.ts';
import {
  isOfClient,
  isSameIssuer,
  withGrant,
  withoutRegistrations,
  withoutScopes,
  type Grant,
} from './grant.ts';
import type { SignIn, SignInSettings } from './signIn.ts';
import { SignInFetch } from './signInFetch.ts';
import { isSignInProblem, SignInProblem } from './signInProblem.ts';

/** How long a failure answers the demands after it, so that no page opens for each of them. */
const RETRY_MS = 30_000;

/** How the sign-in to a server fares. */
export type SignInEvent =
  /** A person is asked to sign in. */
  | { readonly kind: 'asking' }
  | { readonly kind: 'signedIn' }
  /** The tokens are good for this run only; `message` says why they could not be kept. */
  | { readonly kind: 'notKept'; readonly message: string }
  | { readonly kind: 'failed'; readonly message: string };

export interface OAuthAuthorizerOptions {
  readonly server: URL;
  readonly settings: SignInSettings;
  readonly signIn: SignIn;
  readonly environment?: NodeJS.ProcessEnv;
}

interface Wanted {
  readonly challenge: Challenge | undefined;
  /** The tokens at hand are good, and not enough. */
  readonly isStepUp: boolean;
  readonly used: string | undefined;
  /** The server's own, of its refusal. */
  readonly words: string;
  readonly mayRefresh: boolean;
  /** False where the user wants it, and not the server. */
  readonly isDemanded: boolean;
}

/**
 * Signs in to one server by OAuth: with the tokens that are kept, by refreshing them, or by asking a person.
 *
 * Invariants: one demand is worked on at a time, and whoever asked meanwhile gets what it came to; the OAuth client, which
 * is large, is loaded at the first demand.
 */
export class OAuthAuthorizer implements Authorizer {
  readonly #server: URL;
  readonly #settings: SignInSettings;
  readonly #signIn: SignIn;
  readonly #environment: NodeJS.ProcessEnv;
  readonly #closing = new AbortController();
  readonly #events = new Emitter<SignInEvent>();
  readonly #secrets = new Set<string>();
  #grants: readonly Grant[] | undefined;
  #reading: Promise<void> | undefined;
  #turn: Promise<unknown> = Promise.resolve();
  #asking = false;
  /** Another program works on the grants of the server. */
  #isQueued = false;
  /** What the latest sign-in brought, until the server has taken it. */
  #unproven: string | undefined;
  #failure: { readonly message: string; readonly until: number } | undefined;
  /** The demand that nobody was there to be asked about: whoever signs in later gets what it wanted. */
  #unmet: Wanted | undefined;

  constructor(options: OAuthAuthorizerOptions) {
    this.#server = options.server;
    this.#settings = options.settings;
    this.#signIn = options.signIn;
    this.#environment = options.environment ?? process.env;
    const { clientSecret, privateKey } = options.settings;
    for (const secret of [clientSecret, privateKey]) if (secret) this.#secrets.add(secret);
  }

  readonly onEvent = this.#events.event;

  /** True while a person is asked, here or, as far as can be told, by another program: for that no server is to blame. */
  get isAsking(): boolean {
    return this.#asking || this.#isQueued;
  }

  /** True where there are tokens to show, as far as what is kept has been read. */
  get isSignedIn(): boolean {
    return this.#header !== undefined;
  }

  /** True where the server has demanded more than the tokens were asked for, and nobody has been asked for it yet. */
  get isWanting(): boolean {
    return this.#current?.wanted !== undefined;
  }

  /** Every token that was seen, to be kept out of what is shown. */
  get secrets(): ReadonlySet<string> {
    return this.#secrets;
  }

  async authorization(): Promise<string | undefined> {
    await (this.#reading ??= this.#read());
    return this.#header;
  }

  concerns(status: number, challenge: string | undefined): boolean {
    if (status === 401) {
      // Some servers forget the header; one that wants something else than a token cannot be given one.
      if (challenge === undefined || readChallenges(challenge).length === 0) return true;
      return bearerChallenge(challenge) !== undefined;
    }
    if (status !== 403 || challenge === undefined) return false;
    return bearerChallenge(challenge)?.parameters.get('error') === 'insufficient_scope';
  }

  accepted(authorization: string): void {
    if (authorization === this.#unproven) this.#unproven = undefined;
  }

  async meet({ status, challenge, used, words, retries }: Demand): Promise<Verdict> {
    const isStepUp = status === 403;
    const verdict = await this.#queue({
      challenge: challenge === undefined ? undefined : bearerChallenge(challenge),
      isStepUp,
      used,
      words,
      // Tokens that are refused as soon as they are there will not be better the next time.
      mayRefresh: !isStepUp && retries === 0,
      isDemanded: true,
    });
    return verdict.kind === 'unwanted' ? { ...verdict, kind: 'refused' } : verdict;
  }

  /** Signs in because the user wants it: for what the server has demanded in vain, else anew. */
  async signIn(): Promise<SignInVerdict> {
    const used = await this.authorization();
    this.#failure = undefined;
    const unmet = this.#unmet ?? this.#kept(used);
    return this.#queue({
      challenge: unmet?.challenge,
      isStepUp: unmet?.isStepUp === true,
      used,
      words: unmet?.words ?? '',
      mayRefresh: false,
      isDemanded: unmet !== undefined,
    });
  }

  /** Looks again at what is kept; true where somebody else has signed in meanwhile, with another program or window. */
  lookAgain(): Promise<boolean> {
    const looking = this.#turn.then(async () => {
      const before = await this.authorization();
      await this.#read();
      if (!this.#isOutdated(before)) return false;
      this.#succeed();
      return true;
    });
    this.#turn = looking;
    return looking;
  }

  #queue(wanted: Wanted): Promise<SignInVerdict> {
    const verdict = this.#turn.then(() => this.#meet(wanted));
    this.#turn = verdict;
    return verdict;
  }

  /** Gives up what is under way. */
  async close(): Promise<void> {
    this.#closing.abort();
    await this.#turn;
  }

  get #header(): string | undefined {
    const access = this.#current?.tokens?.access;
    return access === undefined ? undefined : `Bearer ${access}`;
  }

  /** The grant that its tokens were got under most recently, as far as the configuration still means the same client. */
  get #current(): Grant | undefined {
    const { clientId, issuer } = this.#settings;
    return this.#grants?.find(
      (grant) =>
        grant.tokens !== undefined &&
        (issuer === undefined || isSameIssuer(issuer, grant.issuer)) &&
        isOfClient(grant, clientId),
    );
  }

  /** The demand that was met by nobody when another program heard it. */
  #kept(used: string | undefined): Wanted | undefined {
    const wanted = this.#current?.wanted;
    if (wanted === undefined) return undefined;
    const challenge = { scheme: 'bearer', parameters: new Map([['scope', wanted]]) };
    const common = { used, words: '', mayRefresh: false, isDemanded: true };
    return { ...common, challenge, isStepUp: true };
  }

  async #read(): Promise<void> {
    this.#take(await this.#signIn.store.read(this.#server.href));
  }

  #take(grants: readonly Grant[]): void {
    this.#grants = grants;
    for (const { tokens, client } of grants) {
      for (const secret of [tokens?.access, tokens?.refresh, client.secret]) {
        if (secret !== undefined) this.#secrets.add(secret);
      }
    }
  }

  /** Never rejects. */
  async #meet(wanted: Wanted): Promise<SignInVerdict> {
    await this.authorization();
    if (this.#isOutdated(wanted.used)) return { kind: 'retry' };
    try {
      await this.#read();
      if (this.#isOutdated(wanted.used)) return this.#succeed();
      if (this.#failure !== undefined && Date.now() < this.#failure.until) {
        return { kind: 'refused', message: this.#failure.message };
      }
      const { store } = this.#signIn;
      this.#isQueued = true;
      const work = (): Promise<void> => {
        this.#isQueued = false;
        return this.#renew(wanted);
      };
      await store.alone(this.#server.href, work, this.#closing.signal);
      return this.#succeed();
    } catch (error) {
      if (isSignInProblem(error) && error.nobodyThere) this.#unmet = wanted;
      if (isSignInProblem(error) && error.isUndescribed && !wanted.isDemanded) {
        return { kind: 'unwanted', message: `${this.#server.origin} asks nobody to sign in.` };
      }
      return this.#fail(await this.#explain(error, wanted));
    } finally {
      this.#asking = false;
      this.#isQueued = false;
    }
  }

  /** Whether there are other tokens by now than those that were refused. */
  #isOutdated(used: string | undefined): boolean {
    return this.#header !== undefined && this.#header !== used;
  }

  async #renew({ challenge, isStepUp, used, ...wanted }: Wanted): Promise<void> {
    // Another program may have been at it while this one waited for its turn.
    await this.#read();
    if (this.#isOutdated(used)) return;
    if (!isStepUp && wanted.isDemanded && used !== undefined && used === this.#unproven) {
      // Asking the person again would bring the same.
      throw new SignInProblem('The server refuses what the sign-in has just brought.');
    }
    const grants = this.#grants ?? [];
    const scope = challenge?.parameters.get('scope');
    if (isStepUp) this.#checkStepUp(scope);
    const { obtain } = await import('./oauth/oauth.ts');
    const { signal } = this.#closing;
    const requests = new SignInFetch({
      server: this.#server,
      environment: this.#environment,
      network: this.#signIn.network,
      signal,
    });
    try {
      const { grant, isNew } = await obtain({
        server: this.#server,
        settings: this.#settings,
        signIn: this.#signIn,
        grants,
        challenge: { metadataUrl: challenge?.parameters.get('resource_metadata'), scope },
        mayRefresh: wanted.mayRefresh,
        isDemanded: wanted.isDemanded,
        fetch: requests.fetch,
        signal,
        onAsking: () => {
          this.#asking = true;
          this.#events.fire({ kind: 'asking' });
        },
      });
      await this.#keep(withGrant(grants, grant));
      if (isNew) this.#unproven = this.#header;
    } catch (error) {
      await this.#learn(error, grants, isStepUp ? scope : undefined);
      throw error;
    } finally {
      await requests.close();
    }
  }

  /** Keeps what a sign-in that failed means for the next one. */
  async #learn(error: unknown, grants: readonly Grant[], more: string | undefined): Promise<void> {
    const problem = isSignInProblem(error) ? error : undefined;
    const current = this.#current;
    if (this.#asking) {
      const rest = problem?.isScopeRefused === true ? withoutScopes(grants) : grants;
      await this.#keep(withoutRegistrations(rest));
    } else if (problem?.nobodyThere === true && more !== undefined) {
      const wanting = grants.map((each) => (each === current ? { ...each, wanted: more } : each));
      await this.#keep(wanting);
    }
  }

  async #keep(grants: readonly Grant[]): Promise<void> {
    this.#take(grants);
    try {
      await this.#signIn.store.write(this.#server.href, grants);
    } catch (error) {
      const message = `The sign-in cannot be kept: ${error instanceof Error ? error.message : String(error)}`;
      this.#events.fire({ kind: 'notKept', message });
    }
  }

  async #explain(error: unknown, wanted: Wanted): Promise<string> {
    const { advice, tokenAdvice } = this.#signIn;
    const { origin } = this.#server;
    const wish = wanted.isStepUp
      ? `${origin} wants you to grant it more rights`
      : `${origin} wants you to sign in`;
    if (isSignInProblem(error) && error.isUndescribed) {
      const said = wanted.words === '' ? '' : ` It says: ${sentence(wanted.words)}`;
      return `${wish}, and does not say how.${said} ${tokenAdvice}`;
    }
    if (isSignInProblem(error) && error.nobodyThere) return `${wish}. ${advice}`.trimEnd();
    const { explain } = await import('./oauth/oauth.ts');
    const failed = wanted.isDemanded
      ? `${wish}, and that failed.`
      : `Signing in to ${origin} failed.`;
    return `${failed} ${explain(error)} ${advice}`.trimEnd();
  }

  /** More scopes can only be asked for where the tokens at hand were not asked for with them. */
  #checkStepUp(scope: string | undefined): void {
    const asked = new Set(this.#current?.scope?.split(' '));
    if ((scope?.split(' ') ?? []).some((each) => !asked.has(each))) return;
    throw new SignInProblem(
      'The server wants more rights than it was given, though they were asked for. If you withheld them, sign out and in again.',
    );
  }

  #succeed(): Verdict {
    this.#failure = undefined;
    this.#unmet = undefined;
    this.#events.fire({ kind: 'signedIn' });
    return { kind: 'retry' };
  }

  #fail(message: string): Verdict {
    this.#failure = { message, until: Date.now() + RETRY_MS };
    this.#events.fire({ kind: 'failed', message });
    return { kind: 'refused', message };
  }
}

function sentence(words: string): string {
  return /[.!?…]$/.test(words) ? words : `${words}.`;
}
