import { readFileSync } from 'node:fs';
import { describe, expect } from 'vitest';

import type { Rule, Step } from '../../fixtures/raw/script.ts';
import {
  bigAnswer,
  cutAnswer,
  endlessLine,
  modernServer,
  noise,
} from '../../fixtures/raw/scripts.ts';
import { HttpClient } from './support/httpClient.ts';
import { legacy } from './support/rules.ts';
import { test } from './support/stage.ts';

const MEBIBYTE = 1024 * 1024;
const CALL = '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"w","arguments":{}}}';
const done: Step = { result: { content: [{ type: 'text', text: 'done' }] } };
const DONE = { content: [{ type: 'text', text: 'done' }] };

const on = (...steps: Step[]): Rule => ({ on: 'tools/call', steps });
const once = (...steps: Step[]): Rule => ({ on: 'tools/call', nth: 1, steps });

/** A line that is cut within its last character, so that it is no UTF-8. */
const broken = (text: string, rest: string): Step[] => [
  { line: `${text}é`, end: '', cut: Buffer.byteLength(text) + 1 },
  { line: rest },
];

describe('text on stdout', () => {
  test('is told line by line and never executed, and the connection survives it', async ({
    stage,
  }) => {
    const cli = await stage.stdio(legacy('2025-06-18', on(...noise, done)));
    cli.client.write(CALL);
    expect((await cli.client.response(1)).result).toEqual(DONE);
    const lines = ['Server v1.2 running', '------', '{"level":"info"', '42', '[INFO] {"jsonrpc"'];
    for (const line of lines) expect(cli.logged(`It begins: ${line}`)).toHaveLength(1);
    expect(cli.client.responses(1)).toHaveLength(1);
    // One warning of each kind, however many lines there were.
    expect(stage.report.map(({ kind, topic }) => `${kind} ${topic ?? ''}`)).toEqual([
      'warning not-json',
      'warning not-json-rpc',
    ]);
  });

  test('does no harm ahead of the first message either', async ({ stage }) => {
    const banner = noise.slice(0, 4);
    const cli = await stage.stdio({ ...modernServer(), start: [...banner] });
    const { result } = await cli.client.request(1, 'tools/list');
    expect(result).toMatchObject({ tools: [{ name: 'echo' }] });
    await cli.log('It begins: Server v1.2 running');
  });
});

describe('a long answer', () => {
  const length = 12 * MEBIBYTE;

  function memory(pid: number, what: 'VmHWM' | 'VmRSS'): number {
    const status = readFileSync(`/proc/${pid}/status`, 'latin1');
    return Number(new RegExp(`${what}:\\s+(\\d+) kB`).exec(status)?.[1]) * 1024;
  }

  test.for([8192, MEBIBYTE + 1])(
    'of 12 MB in pieces of %i bytes arrives soon and costs little memory',
    async (chunk, { stage }) => {
      const cli = await stage.stdio(legacy('2025-06-18', once(done), on(bigAnswer(length, chunk))));
      await cli.client.request(0, 'tools/call', { name: 'w' });
      const before = memory(cli.pid, 'VmRSS');
      const start = performance.now();
      cli.client.write(CALL);
      const line = await cli.client.responseLine(1);
      expect(performance.now() - start).toBeLessThan(2000);
      expect(line).toBe(
        `{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"${'x'.repeat(length)}"}]}}`,
      );
      expect(memory(cli.pid, 'VmHWM') - before).toBeLessThan(5 * length);
    },
  );

  test('of 70 MB fails its request with the limit, and the next is answered', async ({ stage }) => {
    const cli = await stage.stdio(
      legacy('2025-06-18', once(bigAnswer(70 * MEBIBYTE, MEBIBYTE)), on(done)),
    );
    cli.client.write(CALL);
    expect((await cli.client.response(1)).error?.message).toContain('64 MiB');
    expect((await cli.client.request(2, 'tools/call', { name: 'w' })).result).toEqual(DONE);
    expect(stage.runs()).toHaveLength(1);
  });

  test('that never ends fails its request, and the server is not restarted', async ({ stage }) => {
    const cli = await stage.stdio(legacy('2025-06-18', on(endlessLine)));
    cli.client.write(CALL);
    expect((await cli.client.response(1)).error?.message).toContain('64 MiB');
    expect(stage.runs()).toHaveLength(1);
  });

  test('cut by the server’s exit is told as just that', async ({ stage }) => {
    const cli = await stage.stdio(legacy('2025-06-18', on(...cutAnswer(65_536))));
    cli.client.write(CALL);
    const { error } = await cli.client.response(1);
    expect(error?.message).toContain('exited in the middle of a message');
  });
});

describe('a long message of the client', () => {
  const long = (id: string): string =>
    `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":{"name":"${'x'.repeat(70 * MEBIBYTE)}"}}`;

  test('of 70 MB is refused under its id over stdio, and the session goes on', async ({
    stage,
  }) => {
    const { client } = await stage.stdio(legacy('2025-06-18'));
    client.write(long('"big"'));
    const { error } = await client.response('big');
    expect(error).toMatchObject({ code: -32600 });
    expect(error?.message).toMatch(/longer than the \d+ bytes/);
    expect((await client.request(2, 'tools/call', { name: 'echo' })).error).toBeUndefined();
  });

  test('of 70 MB is refused over HTTP, and the session goes on', async ({ stage }) => {
    const { urls } = await stage.serve({ one: stage.entry(legacy('2025-06-18'), 'one') });
    const client = new HttpClient(urls['one'] ?? '');
    await client.open();
    expect((await client.post(long('1'))).status).toBe(413);
    expect((await client.request(2, 'tools/call', { name: 'echo' })).error).toBeUndefined();
  });
});

describe('bytes that are no UTF-8', () => {
  test('are told when the server writes them, and the next message is read', async ({ stage }) => {
    const told = broken(
      '{"jsonrpc":"2.0","method":"notifications/message","params":{"data":"',
      '"}}',
    );
    const cli = await stage.stdio(legacy('2025-06-18', on(...told, done)));
    cli.client.write(CALL);
    expect((await cli.client.response(1)).result).toEqual(DONE);
    await cli.log('bytes that are no UTF-8');
    expect(cli.client.heard('notifications/message')).toEqual([]);
  });

  test('in an answer fail its request at once', async ({ stage }) => {
    const answer = broken(
      '{"jsonrpc":"2.0","id":3,"result":{"content":[{"type":"text","text":"',
      '"}]}}',
    );
    const cli = await stage.stdio(legacy('2025-06-18', once(...answer), on(done)));
    cli.client.write(CALL);
    expect((await cli.client.response(1)).error?.message).toContain('UTF-8');
    expect((await cli.client.request(2, 'tools/call', { name: 'w' })).result).toEqual(DONE);
  });

  test('are refused when the client writes them, and the session goes on', async ({ stage }) => {
    const { client } = await stage.stdio(legacy('2025-06-18'));
    const text = Buffer.from(
      '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"é"}}',
    );
    client.write(Buffer.concat([text.subarray(0, -4), text.subarray(-3)]));
    expect((await client.response(1)).error?.code).toBe(-32700);
    expect((await client.request(2, 'tools/call', { name: 'echo' })).error).toBeUndefined();
  });

  test('are refused over HTTP', async ({ stage }) => {
    const { urls } = await stage.serve({ one: stage.entry(legacy('2025-06-18'), 'one') });
    const client = new HttpClient(urls['one'] ?? '');
    await client.open();
    const { status, messages } = await client.post(Buffer.from([0x22, 0xc3, 0x22]));
    expect([status, messages[0]?.error?.code]).toEqual([400, -32700]);
    expect((await client.request(2, 'tools/call', { name: 'echo' })).error).toBeUndefined();
  });
});

describe('an answer that is no JSON', () => {
  test('fails its request at once, since it names it', async ({ stage }) => {
    const line = '{"jsonrpc":"2.0","id":$ID,"result":{"content":[],"structuredContent":{"x":NaN}}}';
    const cli = await stage.stdio(legacy('2025-06-18', once({ line }), on(done)));
    cli.client.write(CALL);
    expect((await cli.client.response(1)).error?.message).toContain('no JSON');
    expect((await cli.client.request(2, 'tools/call', { name: 'w' })).result).toEqual(DONE);
  });

  test.for([[false], [true]] as const)(
    'fails its request over HTTP too (event stream: %s)',
    async ([sse], { stage }) => {
      const line = `${sse ? 'data: ' : ''}{"jsonrpc":"2.0","id":$ID,"result":{"x":NaN}}\n`;
      const broke: Rule = { on: 'tools/call', nth: 1, sse, steps: [{ line }] };
      const cli = await stage.stdio(await stage.http(modernServer(broke)));
      cli.client.write(CALL);
      expect((await cli.client.response(1)).error?.code).toBe(-32603);
      const { result } = await cli.client.request(2, 'tools/call', { name: 'w' });
      expect(result).toMatchObject({ content: [{ text: 'ok' }] });
    },
  );
});
