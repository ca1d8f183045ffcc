import type { ConfiguredEntry } from '../../../src/extension/config/configuredServers.ts';
import type { Surroundings } from '../../../src/extension/servers/surroundings.ts';
import { STRICT } from '../../../src/translate/policy.ts';

/** An editor that agrees to everything, and shows nothing. */
export const SURROUNDINGS: Surroundings = {
  isTrusted: () => true,
  hasConsent: () => true,
  askConsent: async () => true,
  resolve: async () => ({ kind: 'cancelled', input: '' }),
  eraMemory: () => ({ recall: () => undefined, remember: ignore }),
  policy: () => STRICT,
  signIn: {
    store: { read: async () => [], write: async () => undefined, alone: (_, work) => work() },
    person: { listen: async () => fail('Nobody is to be asked.'), open: ignore, patienceMs: 0 },
    version: '0',
  },
  log: { debug: ignore, info: ignore, warn: ignore, error: ignore },
  showError: ignore,
  version: '0',
};

/** An entry of the user's configuration. */
export function configuredEntry(name: string, entry: ConfiguredEntry['entry']): ConfiguredEntry {
  const uri = { toString: () => 'file:///config' } as ConfiguredEntry['source']['uri'];
  return {
    name,
    source: { kind: 'user', uri, label: 'your user configuration' },
    entry,
    nameRange: { offset: 0, length: 0 },
    inputs: [],
    workspaceFolder: undefined,
    hash: name,
    identity: JSON.stringify([name, entry]),
  };
}

function fail(message: string): never {
  throw new Error(message);
}

function ignore(): void {
  return undefined;
}
