import * as vscode from 'vscode';
import { isSafeUrl } from '../../base/safeUrl.ts';
import type { Person, RedirectListener } from '../../transports/authorization/signIn.ts';
import { SignInProblem } from '../../transports/authorization/signInProblem.ts';

/** How long a person may take to sign in. */
const PATIENCE_MS = 5 * 60_000;

/** The user of this editor, whose browser may be on another machine than the extension. */
export const editorPerson: Person = {
  listen: async (wanted) => {
    const redirects = await import('../../transports/authorization/loopbackRedirect.ts');
    return reachable(await redirects.listenForRedirect(wanted));
  },
  open: (page) => {
    if (!isSafeUrl(page.href)) return;
    // As a text, which the editor takes, too: a `Uri` would lose how the characters of the address are written.
    void vscode.env.openExternal(page.href as unknown as vscode.Uri);
  },
  patienceMs: PATIENCE_MS,
};

/**
 * A listener under the address that the user's browser reaches it by: the editor forwards the port where it has to. Only
 * `localhost` and `https:` may be redirected to (2026-07-28, Security Considerations, Communication Security).
 */
async function reachable(listener: RedirectListener): Promise<RedirectListener> {
  try {
    const address = await vscode.env.asExternalUri(vscode.Uri.parse(listener.url, true));
    const url = address.toString(true);
    if (isSafeUrl(url)) {
      return {
        url,
        next: (state, signal) => listener.next(state, signal),
        close: () => listener.close(),
      };
    }
    throw new SignInProblem(
      `The browser would come back over ${address.scheme}://${address.authority}, which a sign-in may not. Open the editor over https.`,
    );
  } catch (error) {
    await listener.close();
    throw error;
  }
}
