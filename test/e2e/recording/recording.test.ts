import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { describe, expect } from 'vitest';

import { everythingTarget } from '../../support/everything.ts';
import { HttpClient } from '../reports/support/httpClient.ts';
import { CLI } from '../reports/support/cli.ts';
import { test, type Stage } from '../reports/support/stage.ts';

const ECHO = fileURLToPath(new URL('../reports/fixtures/echoServer.mjs', import.meta.url));

interface Peer {
  readonly client: Client;
  readonly asked: string[];
  readonly progress: number[];
}

/** Connects a client of 2025-11-25 to what a command line of the program serves. */
async function connect(stage: Stage, args: readonly string[]): Promise<Peer> {
  const asked: string[] = [];
  const client = new Client(
    { name: 'recorded', version: '1' },
    { capabilities: { elicitation: {} } },
  );
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.push(params.message);
    const names = params.mode === 'url' ? [] : Object.keys(params.requestedSchema.properties);
    return { action: 'accept', content: Object.fromEntries(names.map((name) => [name, 'Ada'])) };
  });
  const env = Object.fromEntries(
    Object.entries(stage.env).flatMap(([name, value]) =>
      value === undefined ? [] : [[name, value]],
    ),
  ) as Record<string, string>;
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [CLI, ...args], env }),
  );
  return { client, asked, progress: [] };
}

/** What a client does that is recorded, and what it gets. */
async function converse({ client, progress }: Peer): Promise<unknown[]> {
  const { tools } = await client.listTools();
  const onprogress = ({ progress: done }: { progress: number }): void => void progress.push(done);
  return [
    tools,
    await client.callTool({ name: 'test_simple_text' }),
    await client.callTool({ name: 'test_array_only' }),
    await client.callTool({ name: 'test_tool_with_progress' }, undefined, { onprogress }),
    await client.callTool({ name: 'test_input_required_result_multi_round' }),
    await client.getPrompt({ name: 'test_simple_prompt' }),
  ];
}

describe('a recording', () => {
  test('answers another client as the one that was recorded', async ({ stage }) => {
    const file = join(stage.folder, 'session.ndjson');
    const { target } = await everythingTarget('modern', 'stdio');
    if ('url' in target) throw new Error('It is to be a command.');
    const live = await connect(stage, [
      'stdio',
      '--record',
      file,
      '--',
      target.command,
      ...target.args,
    ]);
    const seen = await converse(live);
    await live.client.close();

    const replayed = await connect(stage, ['replay', file]);
    expect(await converse(replayed)).toEqual(seen);
    expect(replayed.asked).toEqual(live.asked);
    expect(live.asked.length).toBeGreaterThan(1);
    expect(replayed.progress).toEqual(live.progress);
    expect(live.progress.length).toBeGreaterThan(1);
    // What was asked once may be asked again; what never was cannot be answered.
    expect(await replayed.client.callTool({ name: 'test_simple_text' })).toEqual(seen[1]);
    await expect(replayed.client.callTool({ name: 'test_other' })).rejects.toThrow(
      'The recording has no answer to tools/call with these params.',
    );
    await replayed.client.close();

    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readFileSync(file, 'utf8')).not.toMatch(/"requestState":"(?!redacted state \d+")/);
    expect(readFileSync(file, 'utf8')).toContain('"requestState":"redacted state 2"');
  });

  test('is shown with both sides and what was refused between them', async ({ stage }) => {
    const file = join(stage.folder, 'session.ndjson');
    const { target } = await everythingTarget('modern', 'stdio');
    if ('url' in target) throw new Error('It is to be a command.');
    const flags = ['stdio', '--record', file, '--', target.command, ...target.args];
    const live = await connect(stage, flags);
    await live.client.callTool({ name: 'test_array_only' });
    await live.client.close();

    const show = stage.cli('show', file);
    expect(await show.exit()).toBe(0);
    const lines = show.client.lines;
    const text = lines.join('\n');
    expect(text).toMatch(/client -> bridge +1 {2}#\d+ tools\/call \{"name":"test_array_only"/);
    expect(text).toMatch(/bridge -> server 1 {2}#\d+ server\/discover/);
    expect(text).toMatch(/bridge <- server 1 {2}#\d+ = \{/);
    expect(text).toMatch(/ refused {2}tool-structured-any: test_array_only: /);
    const messages = lines.filter((line) => line.includes('bridge'));
    expect(Math.max(...messages.map(({ length }) => length))).toBe(120);
  });

  test('holds no secret of the configuration', async ({ stage }) => {
    const secret = 'mark"er-4711';
    stage.env['SECRET'] = secret;
    stage.env['ECHO'] = 'API_TOKEN';
    const file = join(stage.folder, 'session.ndjson');
    const entry = { command: process.execPath, args: [ECHO], env: { API_TOKEN: '${env:SECRET}' } };
    const { urls } = await stage.serve({ echo: entry }, '--record', file);
    const opened = await new HttpClient(urls['echo'] ?? '').open();
    // The server gives its environment away, and its client is not kept from it.
    expect(JSON.stringify(opened)).toContain('er-4711');
    expect(readFileSync(file, 'utf8')).not.toContain('er-4711');
    expect(readFileSync(file, 'utf8')).toContain('•••');
  });

  test('that broke off in the middle loses that line and nothing else, also when it is gone on with', async ({
    stage,
  }) => {
    const file = join(stage.folder, 'session.ndjson');
    const { target } = await everythingTarget('modern', 'stdio');
    if ('url' in target) throw new Error('It is to be a command.');
    const flags = ['stdio', '--record', file, '--', target.command, ...target.args];
    const first = await connect(stage, flags);
    const said = await first.client.callTool({ name: 'test_simple_text' });
    await first.client.close();
    const whole = readFileSync(file, 'utf8').trimEnd();
    writeFileSync(file, whole.slice(0, -20));
    const second = await connect(stage, flags);
    await second.client.callTool({ name: 'test_array_only' });
    await second.client.close();

    const damaged = whole.split('\n').length;
    const show = stage.cli('show', file);
    expect(await show.exit()).toBe(0);
    expect(show.stderr).toBe(`mcp-rosetta: ${file}: line ${damaged} is no JSON; it is left out.\n`);
    const text = show.client.lines.join('\n');
    expect(text).toContain('"test_simple_text"');
    expect(text).toContain('the next run, of ');
    expect(text).toContain('"test_array_only"');
    const replayed = await connect(stage, ['replay', file]);
    expect(await replayed.client.callTool({ name: 'test_simple_text' })).toEqual(said);
    await replayed.client.close();
  });

  test('drives no terminal with anything that stands in it', async ({ stage }) => {
    const odd = '\u001b]0;title\u0007\u202eodd\nforged';
    const common = { time: new Date(0).toISOString(), server: odd };
    const traffic = { leg: 'downstream', conversation: 1, from: 'client', kind: 'message' };
    const step = { feature: odd, path: odd, before: odd, after: odd };
    const lines = [
      { kind: 'recording', format: 1, by: odd },
      { ...common, ...traffic, message: { jsonrpc: '2.0', id: odd, method: odd, params: { odd } } },
      {
        ...common,
        ...traffic,
        message: { jsonrpc: '2.0', id: 1, error: { code: 1, message: odd } },
      },
      { ...common, kind: 'report', method: odd, tool: odd, steps: [step] },
      { ...common, kind: 'refusal', method: odd, refusal: { feature: odd, hint: odd } },
      { ...common, kind: 'warning', message: odd, server: 'other' },
    ];
    const file = join(stage.folder, 'session.ndjson');
    writeFileSync(file, lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
    const show = stage.cli('show', file);
    expect(await show.exit()).toBe(0);
    const shown = show.client.lines;
    expect(shown).toHaveLength(lines.length - 1);
    expect(shown.filter((line) => /[\p{C}]/u.test(line))).toEqual([]);
    expect(shown.every((line) => line.includes('odd'))).toBe(true);
  });

  const faults: readonly [string, string][] = [
    ['', 'no recording of this program: the file is empty.'],
    ['# Notes\n', 'no recording of this program: it does not begin like one.'],
    ['{"kind":"recording","format":1}\n{"kind":"message"}\n', 'line 2 is no line of a recording.'],
    ['{"kind":"recording","format":1}\nnonsense\n', 'line 2 is no JSON.'],
  ];
  test.for(faults)('that is none is refused: %j', async ([text, message], { stage }) => {
    const file = join(stage.folder, 'session.ndjson');
    writeFileSync(file, text);
    const replay = stage.cli('replay', file);
    expect(await replay.exit()).toBe(1);
    expect(replay.stderr).toBe(`mcp-rosetta: ${file}: ${message}\n`);
  });
});
