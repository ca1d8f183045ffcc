import { homedir } from 'node:os';
import { join } from 'node:path';

/** The folder for what belongs to the user and must outlive a run. */
export function stateFolder(env: NodeJS.ProcessEnv): string {
  const state =
    process.platform === 'win32'
      ? (env['LOCALAPPDATA'] ?? join(homedir(), 'AppData', 'Local'))
      : (env['XDG_STATE_HOME'] ?? join(homedir(), '.local', 'state'));
  return join(state, 'mcp-rosetta');
}
