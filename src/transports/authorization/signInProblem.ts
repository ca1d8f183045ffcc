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

  constructor(
    message: string,
    {
      nobodyThere = false,
      isUndescribed = false,
    }: { nobodyThere?: boolean; isUndescribed?: boolean } = {},
  ) {
    super(message);
    this.nobodyThere = nobodyThere;
    this.isUndescribed = isUndescribed;
  }
}

/** Told by its name, since the OAuth part of the program is a bundle of its own and has its own class. */
export function isSignInProblem(error: unknown): error is SignInProblem {
  return error instanceof TypeError && error.name === 'SignInProblem';
}
