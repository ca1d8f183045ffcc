import type { Bridge } from '../../bridge/bridge.ts';
import { createRedactor, type Redact } from '../../config/redactor.ts';
import type { ResolveProblem } from '../../config/resolve.ts';
import type { ConfiguredEntry } from '../config/configuredServers.ts';
import { ServerSignIn } from '../signIn/serverSignIn.ts';
import type { Surroundings } from './surroundings.ts';

/** What making a bridge of an entry came to. */
export type MadeBridge =
  | {
      readonly kind: 'made';
      readonly bridge: Bridge;
      readonly signIn: ServerSignIn | undefined;
      /** Takes the server's secrets out of a text. */
      readonly redact: Redact;
      readonly warnings: readonly ResolveProblem[];
    }
  /** The user has left a question unanswered. */
  | { readonly kind: 'cancelled' }
  /** Something else has taken its place meanwhile. */
  | { readonly kind: 'overtaken' }
  | { readonly kind: 'problems'; readonly problems: readonly ResolveProblem[] };

/** Makes the bridge of an entry, asking the user for inputs not answered yet; nothing of the server runs by that. */
export async function makeBridge(
  configured: ConfiguredEntry,
  around: Surroundings,
  isWanted: () => boolean,
): Promise<MadeBridge> {
  const answers: string[] = [];
  const resolution = await around.resolve(configured, (answer) => {
    answers.push(answer);
  });
  if (!isWanted()) return { kind: 'overtaken' };
  if (resolution.kind !== 'resolved') return resolution;
  const { server, warnings } = resolution;
  const { createAuthorizer, createBridge } = await import('../../bridge/createBridge.ts');
  if (!isWanted()) return { kind: 'overtaken' };
  const signIn = ServerSignIn.create(server, around.signIn, createAuthorizer);
  const redact = createRedactor(server, answers, signIn?.authorizer.secrets);
  const bridge = createBridge(server, {
    reader: 'vscode',
    policy: around.policy(),
    memory: around.eraMemory(configured),
    signIn: signIn?.authorizer,
    redact,
    network: 'editor',
  });
  return { kind: 'made', bridge, signIn, redact, warnings };
}
