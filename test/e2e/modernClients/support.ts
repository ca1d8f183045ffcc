import { fileURLToPath } from 'node:url';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { test as staged, type Stage } from '../reports/support/stage.ts';

export const CLI = fileURLToPath(new URL('../../../dist/cli.cjs', import.meta.url));

export interface Peer {
  readonly client: Client;
  /** Log messages, progress and changes, by method. */
  readonly heard: string[];
  /** What the client was asked. */
  readonly asked: string[];
}

const ALL = { elicitation: { form: {} }, sampling: {}, roots: {} };

/** What one test starts: fixtures, bridges and clients, gone with it. */
export class Setting {
  readonly #stage: Stage;
  readonly #ends: (() => Promise<void>)[] = [];

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** Connects a client of 2026-07-28 to a `mcp-rosetta stdio` of its own in front of a target. */
  async open(target: readonly string[], capabilities: object = ALL): Promise<Peer> {
    const args = [CLI, 'stdio', ...target];
    const env = Object.fromEntries(
      Object.entries(this.#stage.env).filter(([, value]) => value !== undefined),
    ) as Record<string, string>;
    const transport = new StdioClientTransport({ command: process.execPath, args, env });
    const client = new Client(
      { name: 'modern', version: '1.0.0' },
      { capabilities, versionNegotiation: { mode: { pin: '2026-07-28' } } },
    );
    const heard: string[] = [];
    const asked: string[] = [];
    if ('elicitation' in capabilities) {
      client.setRequestHandler('elicitation/create', ({ params }) => {
        asked.push(params.message);
        return { action: 'accept', content: { name: 'Ada' } };
      });
    }
    if ('sampling' in capabilities) {
      client.setRequestHandler('sampling/createMessage', () => {
        asked.push('sampling');
        return { role: 'assistant', model: 'none', content: { type: 'text', text: 'Paris' } };
      });
    }
    if ('roots' in capabilities) {
      client.setRequestHandler('roots/list', () => ({ roots: [{ uri: 'file:///work' }] }));
    }
    for (const method of [
      'notifications/message',
      'notifications/resources/updated',
      'notifications/tools/list_changed',
    ] as const) {
      client.setNotificationHandler(method, () => void heard.push(method));
    }
    await client.connect(transport);
    this.#ends.unshift(() => client.close());
    return { client, heard, asked };
  }

  /** Starts `mcp-rosetta serve` in front of a target; gives its address. */
  async serve(target: readonly string[]): Promise<string> {
    const cli = this.#stage.cli('serve', ...target);
    return (await cli.log('listening on ')).slice('listening on '.length);
  }

  async end(): Promise<void> {
    for (const end of this.#ends) await end();
  }
}

/** A test with a setting of its own. */
export const test = staged.extend<{ setting: Setting }>({
  setting: async ({ stage }, use) => {
    const setting = new Setting(stage);
    await use(setting);
    await setting.end();
  },
});
