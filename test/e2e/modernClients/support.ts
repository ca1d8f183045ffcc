import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';

import { until } from '../../support/until.ts';
import { test as staged, type Stage } from '../reports/support/stage.ts';

export const CLI = fileURLToPath(new URL('../../../dist/cli.cjs', import.meta.url));

/** A server to put behind the bridge: one of `test/fixtures`, and how the bridge reaches it. */
export interface Upstream {
  readonly folder: 'everythingModern' | 'everythingLegacy' | 'olderServers';
  readonly transport: 'stdio' | 'http' | 'sse';
  readonly args?: readonly string[];
}

export interface Peer {
  readonly client: Client;
  /** Log messages, progress and changes, by method. */
  readonly heard: string[];
  /** What the client was asked. */
  readonly asked: string[];
}

type Face = 'stdio' | 'serve';

const ALL = { elicitation: { form: {} }, sampling: {}, roots: {} };

/** What one test starts: fixtures, bridges and clients, gone with it. */
export class Setting {
  readonly #stage: Stage;
  readonly #ends: (() => Promise<void>)[] = [];

  constructor(stage: Stage) {
    this.#stage = stage;
  }

  /** Connects a client of 2026-07-28 through a bridge of its own. */
  async connect(face: Face, upstream: Upstream, capabilities: object = ALL): Promise<Peer> {
    const target = await this.#target(upstream);
    if (face === 'stdio') return this.open(target, capabilities);
    return this.#open(
      new StreamableHTTPClientTransport(new URL(await this.serve(target))),
      capabilities,
    );
  }

  /** Connects such a client to `mcp-rosetta stdio` in front of a target. */
  open(target: readonly string[], capabilities: object = ALL): Promise<Peer> {
    const args = [CLI, 'stdio', ...target];
    const env = Object.fromEntries(
      Object.entries(this.#stage.env).filter(([, value]) => value !== undefined),
    ) as Record<string, string>;
    const transport = new StdioClientTransport({ command: process.execPath, args, env });
    return this.#open(transport, capabilities);
  }

  /** Starts `mcp-rosetta serve` in front of a target; gives its address. */
  async serve(target: readonly string[]): Promise<string> {
    const cli = this.#stage.cli('serve', ...target);
    return (await cli.log('listening on ')).slice('listening on '.length);
  }

  /** The arguments that name the server of a fixture; over HTTP it is started first. */
  async #target({ folder, transport, args = [] }: Upstream): Promise<string[]> {
    const file = fileURLToPath(
      new URL(`../../fixtures/${folder}/${transport}.ts`, import.meta.url),
    );
    if (transport === 'stdio') return ['--', process.execPath, file, ...args];
    const child = spawn(process.execPath, [file, ...args, '--watch-stdin'], { stdio: 'pipe' });
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => (stderr += chunk.toString('utf8')));
    this.#ends.push(async () => {
      child.stdin.end();
      await until(() => child.exitCode !== null || child.signalCode !== null);
    });
    const url = await until(() => /listening on (\S+)/.exec(stderr)?.[1]);
    return ['--url', url];
  }

  target(upstream: Upstream): Promise<string[]> {
    return this.#target(upstream);
  }

  async #open(
    transport: StdioClientTransport | StreamableHTTPClientTransport,
    capabilities: object,
  ): Promise<Peer> {
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
