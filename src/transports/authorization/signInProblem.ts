/**
 * Why a server cannot be signed in to; the message is for a person and holds no secret. A `TypeError`, because the OAuth
 * client passes those on as failures of the network and takes others for the absence of a document.
 */
export class SignInProblem extends TypeError {
  override readonly name = 'SignInProblem';
  /** A person is needed, and nobody is there. */
  readonly nobodyThere: boolean;
  /** Neither the server nor its authorization server says how to sign in. */
  readonly isUndescribed: boolean;
  /** The authorization server does not know the scopes that were asked for. */
  readonly isScopeRefused: boolean;

  constructor(message: string, circumstances: Partial<Circumstances> = {}) {
    super(message);
    this.nobodyThere = circumstances.nobodyThere === true;
    this.isUndescribed = circumstances.isUndescribed === true;
    this.isScopeRefused = circumstances.isScopeRefused === true;
  }
}

type Circumstances = Pick<SignInProblem, 'nobodyThere' | 'isUndescribed' | 'isScopeRefused'>;

/** Told by its name, since the OAuth part of the program is a bundle of its own and has its own class. */
export function isSignInProblem(error: unknown): error is SignInProblem {
  return error instanceof TypeError && error.name === 'SignInProblem';
}
