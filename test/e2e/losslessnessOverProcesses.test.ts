import fc from 'fast-check';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';

import { scriptedCommand, scriptedHttpCommand } from '../fixtures/raw/command.ts';
import type { Entry } from '../fixtures/raw/recorder.ts';
import type { Rule, Script } from '../fixtures/raw/script.ts';
import { legacyServer, modernServer } from '../fixtures/raw/scripts.ts';
import { startChild, startListening } from '../support/childProcess.ts';
import { cliCommand, createWorkspace, startServe } from '../support/cli.ts';
import { conversations, type Conversation, type Lane } from '../support/conversations.ts';
import { expectRequest, GAP } from '../support/crossing.ts';
import { RawClient } from '../support/rawClient.ts';

// The same as in memory, with the real program, pipes, sockets and processes between the two ends: many messages at
// once, among them two whose texts do not fit into one read.

const LANES: readonly Lane[] = [
  { era: 'legacy', revision: '2025-11-25' },
  { era: 'modern', revision: '2025-11-25' },
];
const MESSAGES = 150;
/** The same messages each time: those in memory are new ones every time. */
const SEED = 1;
const BIG = JSON.stringify('\u2028😀"\\'.repeat(131_072));

function samples(lane: Lane): readonly Conversation[] {
  // The script of the fixture gives a meaning to words behind a dollar sign.
  const tame = conversations(lane).filter(({ result }) => !/\$[A-Z]/.test(result));
  const done = lane.era === 'modern' ? '"resultType":"complete",' : '';
  const big: Conversation = {
    method: 'tools/call',
    params: `"name":"echo","arguments":{"text":${BIG}}`,
    result: `{${done}"content":[{"type":"text","text":${BIG}}]}`,
  };
  return [big, ...fc.sample(tame, { numRuns: MESSAGES, seed: SEED }), big];
}

/** The mark by which the script tells one request from another. */
const mark = (index: number): string => `"x-case":"<${index}>"`;

function requestLine({ method, params }: Conversation, index: number, id: string): string {
  return `{"id": ${id},"method":"${method}", "params":{${mark(index)},${params}${GAP}},"jsonrpc":"2.0"}`;
}

function responseLine({ result }: Conversation, id: string): string {
  return `{ "result":${result} ,"jsonrpc":"2.0","id":${id}}`;
}

function serverOf(lane: Lane, talk: readonly Conversation[]): Script {
  const rules = talk.map((conversation, index): Rule => ({
    on: '*',
    contains: mark(index),
    steps: [{ line: responseLine(conversation, '$ID') }],
  }));
  return lane.era === 'modern' ? modernServer(...rules) : legacyServer(lane.revision, ...rules);
}

const initialize = {
  protocolVersion: '2025-11-25',
  capabilities: {},
  clientInfo: { name: 'raw', version: '1' },
};
const idOf = (index: number): string => JSON.stringify(`case ${index}`);

/** Files of a test, and a script of the server in one of them. */
function setUp(lane: Lane) {
  const talk = samples(lane);
  const folder = mkdtempSync(join(tmpdir(), 'mcp-lossless-'));
  const workspace = createWorkspace();
  onTestFinished(() => {
    rmSync(folder, { recursive: true, force: true });
    workspace.remove();
  });
  const script = join(folder, 'script.json');
  const record = join(folder, 'record.jsonl');
  writeFileSync(script, JSON.stringify(serverOf(lane, talk)));
  const received = (): readonly string[] =>
    readFileSync(record, 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line) as Entry)
      .map((entry) => (entry.event === 'line' ? entry.line : 'body' in entry ? entry.body : ''));
  return { talk, workspace, script, record, received };
}

/** Every request came to the server as it was sent. */
function expectRequests(talk: readonly Conversation[], received: readonly string[]): void {
  talk.forEach((conversation, index) => {
    const line = received.find((each) => each.includes(mark(index)));
    expectRequest(line ?? '', (id) => requestLine(conversation, index, id));
  });
}

describe.each(LANES)('a client of $revision and a server of the $era era', (lane) => {
  test('keep every byte through `mcp-rosetta stdio`', async () => {
    const { talk, workspace, script, record, received } = setUp(lane);
    const server = cliCommand('stdio', scriptedCommand(script, record));
    const bridge = startChild(server, workspace.environment);
    onTestFinished(() => bridge.stop());
    const client = new RawClient(bridge.process.stdout, bridge.process.stdin);
    await client.request(0, 'initialize', initialize);
    client.send({ method: 'notifications/initialized' });
    talk.forEach((each, i) => client.write(requestLine(each, i, idOf(i)).replace(GAP, '')));
    for (const [index, conversation] of talk.entries()) {
      const line = await client.responseLine(`case ${index}`);
      expect(line).toBe(responseLine(conversation, idOf(index)));
    }
    expectRequests(talk, received());
  });

  test('keep every byte through `mcp-rosetta serve` and Streamable HTTP', async () => {
    const { talk, workspace, script, record, received } = setUp(lane);
    const server = await startListening(scriptedHttpCommand(script, record));
    onTestFinished(() => server.stop());
    const bridge = await startServe({ url: server.url }, [], workspace);
    onTestFinished(() => bridge.stop());
    const headers: Record<string, string> = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    };
    const post = (body: string): Promise<Response> =>
      fetch(bridge.url, { method: 'POST', headers, body });
    const message = { jsonrpc: '2.0', id: 0, method: 'initialize', params: initialize };
    const opened = await post(JSON.stringify(message));
    headers['mcp-session-id'] = opened.headers.get('mcp-session-id') ?? '';
    await opened.text();
    await post('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    const answers = await Promise.all(
      talk.map(async (each, i) => {
        const response = await post(requestLine(each, i, idOf(i)).replace(GAP, ''));
        return [response.headers.get('content-type'), (await response.text()).trimEnd()];
      }),
    );
    expect(answers).toEqual(
      talk.map((each, i) => ['application/json', responseLine(each, idOf(i))]),
    );
    expectRequests(talk, received());
  });
});
