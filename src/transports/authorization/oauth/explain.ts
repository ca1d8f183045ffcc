import {
  InsecureTokenEndpointError,
  IssuerMismatchError,
  OAuthError,
  OAuthErrorCode,
  RegistrationRejectedError,
} from '@modelcontextprotocol/client';
import { safeText } from '../../sample.ts';
import { isSignInProblem } from '../signInProblem.ts';

const SERVER_ERROR: string = OAuthErrorCode.ServerError;

/** What went wrong in a sign-in, in words for a person. Of what a stranger said, only error codes are repeated. */
export function explain(error: unknown): string {
  if (isSignInProblem(error)) return error.message;
  if (error instanceof IssuerMismatchError) {
    return error.kind === 'metadata'
      ? `The authorization server ${safeText(error.expected ?? '')} calls itself ${quoted(error.received)}, so what it says is not used. The two have to be the same, to the letter.`
      : 'The answer does not come from the authorization server that was asked; it was thrown away.';
  }
  if (error instanceof RegistrationRejectedError) {
    return `The authorization server registered no client (HTTP ${error.status}${reasonIn(error.body)}). Register one there, and set "oauth.clientId" in the server's entry; or send a token in "headers".`;
  }
  if (error instanceof InsecureTokenEndpointError) {
    return 'The authorization server wants to issue tokens without https, which is refused.';
  }
  if (error instanceof OAuthError) {
    return error.code === SERVER_ERROR
      ? 'The authorization server failed, or answered with something that is no answer.'
      : `The authorization server refused: ${safeText(error.code.slice(0, 100))}.`;
  }
  // Of a document whose members are not as they must be, or of the OAuth client's own doing.
  return 'The authorization server sent something that cannot be used.';
}

/** A name that a stranger has given itself. */
function quoted(name: string | undefined): string {
  return JSON.stringify(safeText(name?.slice(0, 200) ?? ''));
}

/** The error code of a refusal (RFC 7591, section 3.2.2), to be put behind its status; empty where there is none. */
function reasonIn(body: string): string {
  try {
    const refusal: unknown = JSON.parse(body);
    const code =
      typeof refusal === 'object' && refusal !== null && 'error' in refusal && refusal.error;
    return typeof code === 'string' ? `, ${safeText(code.slice(0, 100))}` : '';
  } catch {
    // Something else, such as a page for a browser.
    return '';
  }
}
