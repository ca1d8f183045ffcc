import { describe, expect, test } from 'vitest';
import { messageBytes } from '../../../../src/protocol/jsonRpc.ts';
import { notify, request } from '../../../../src/protocol/frame.ts';
import { StdioClientTransport } from '../../../../src/transports/stdio/stdioClientTransport.ts';
import { Recorder, startScript, until } from './support.ts';

const STAY = 'process.stdin.resume();';

/** A script that writes these bytes to stdout and goes on reading. */
function saying(text: string | Buffer): string {
  const base64 = Buffer.from(text).toString('base64');
  return `process.stdout.write(Buffer.from('${base64}', 'base64')); ${STAY}`;
}

const LAST = '{"jsonrpc":"2.0","id":99,"result":{}}\n';

describe('what a server writes', () => {
  test('messages and noise are told apart, and the connection survives', async () => {
    const { heard } = startScript(
      saying(
        [
          'Server v1.2 running on stdio',
          '------',
          '{"level":"info","msg":"db up"}',
          '42',
          '[INFO] {"jsonrpc":"2.0","id":1,"result":{}}',
          '',
          LAST,
        ].join('\n'),
      ),
    );
    await until(() => heard.frames.length > 0);
    expect(heard.frames.map((frame) => messageBytes(frame).toString())).toEqual([LAST.trim()]);
    expect(heard.noise).toEqual([
      { reason: 'not-json', sample: 'Server v1.2 running on stdio' },
      { reason: 'not-json', sample: '------' },
      { reason: 'not-json-rpc', sample: '{"level":"info","msg":"db up"}' },
      { reason: 'not-json-rpc', sample: '42' },
      { reason: 'not-json', sample: '[INFO] {"jsonrpc":"2.0","id":1,"result":{}}' },
    ]);
    expect(heard.closed).toEqual([]);
  });

  test('bytes that are no UTF-8 are noise', async () => {
    const bad = Buffer.from('{"jsonrpc":"2.0","id":1,"result":"\xff"}\n', 'latin1');
    const { heard } = startScript(saying(Buffer.concat([bad, Buffer.from(LAST)])));
    await until(() => heard.frames.length > 0);
    expect(heard.noise).toMatchObject([{ reason: 'not-utf8' }]);
  });

  test('each message of a batch is delivered on its own', async () => {
    const one = '{"jsonrpc":"2.0","id":1,"result":{}}';
    const { heard } = startScript(saying(`[${one},{"jsonrpc":"2.0","method":"n"},1,[${one}]]\n`));
    await until(() => heard.noise.length === 2);
    expect(heard.frames.map((frame) => frame.kind)).toEqual(['response', 'notify']);
  });

  test('12 MB in small pieces arrive whole', async () => {
    const { heard } = startScript(`
      const line = Buffer.from('{"jsonrpc":"2.0","id":1,"result":"' + 'x'.repeat(12e6) + '"}\\n');
      for (let at = 0; at < line.length; at += 8192) process.stdout.write(line.subarray(at, at + 8192));
      ${STAY}`);
    await until(() => heard.frames.length > 0);
    const [frame] = heard.frames;
    expect(frame?.kind === 'response' && frame.result?.length).toBe(12e6 + 2);
  });

  test('1 MB on stderr keeps nothing from being answered', async () => {
    const { heard, transport } = startScript(`
      for (let line = 0; line < 10_000; line++) process.stderr.write('x'.repeat(100) + '\\n');
      process.stderr.write('ready\\n', () => process.stdout.write(${JSON.stringify(LAST)}));
      ${STAY}`);
    await until(() => heard.frames.length > 0);
    await until(() => transport.lastStderrLine() === 'ready');
    await until(() => heard.stderr.at(-1) === 'ready');
    expect(heard.stderr.length).toBeLessThan(2000);
  });
});

describe('a line over the limit', () => {
  const long = (front: string, back: string): string => `
    process.stdout.write('${front}' + 'x'.repeat(200_000) + '${back}\\n' + ${JSON.stringify(LAST)});
    ${STAY}`;

  test('an answer is shown to the owner and fails by the id at its end', async () => {
    const code = long('{"result":"', '","jsonrpc":"2.0","id":5}');
    const { heard } = startScript(code, { maxLineBytes: 100_000 });
    await until(() => heard.frames.length > 0);
    expect(heard.oversized.map((head) => head.toString('utf8', 0, 20))).toEqual([
      '{"result":"xxxxxxxxx',
    ]);
    expect(heard.failed).toEqual([
      {
        id: '5',
        failure: {
          kind: 'too-large',
          message:
            "The server's answer is longer than the 100000 bytes that are read of one message.",
        },
      },
    ]);
    expect(heard.noise).toEqual([]);
  });

  test('a notification is noise', async () => {
    const code = long('{"method":"n","params":"', '","jsonrpc":"2.0","id":5}');
    const { heard } = startScript(code, { maxLineBytes: 100_000 });
    await until(() => heard.frames.length > 0);
    expect(heard.oversized).toEqual([]);
    expect(heard.failed).toEqual([]);
    expect(heard.noise).toMatchObject([{ reason: 'too-large' }]);
  });

  test('70 MB are over the limit that holds by default, and the next message is read', async () => {
    const { heard } = startScript(`
      const part = Buffer.alloc(1e6, 'x');
      process.stdout.write('{"jsonrpc":"2.0","id":4,"result":"');
      for (let sent = 0; sent < 70; sent++) process.stdout.write(part);
      process.stdout.write('"}\\n' + ${JSON.stringify(LAST)});
      ${STAY}`);
    await until(() => heard.frames.length > 0);
    expect(heard.oversized).toHaveLength(1);
    expect(heard.failed).toMatchObject([{ id: '4', failure: { kind: 'too-large' } }]);
  });
});

describe('the end of a server', () => {
  test.each([
    [
      'process.exitCode = 3; console.error("no such database\\n")',
      'exited with code 3: no such database',
    ],
    ['process.kill(process.pid, "SIGKILL")', 'exited on signal SIGKILL.'],
    [
      'console.error("bye"); process.stdout.write(\'{"jsonrpc":"2.0","id":1,"result":"\' + "x".repeat(65_000))',
      'exited in the middle of a message, with code 0: bye',
    ],
    ['process.stdout.write("bye")', 'exited with code 0.'],
  ])('%s', async (code, message) => {
    const { heard } = startScript(code);
    await until(() => heard.closed.length > 0);
    expect(heard.closed).toEqual([{ kind: 'exited', message: `The server ${message}` }]);
  });

  test('everything it wrote is delivered first, even without a last line break', async () => {
    const { heard } = startScript(
      `process.stdout.write(${JSON.stringify(LAST)}.repeat(5000).trim())`,
    );
    await until(() => heard.closed.length > 0);
    expect(heard.frames).toHaveLength(5000);
  });

  test('something it left behind, holding its output open, delays nothing', async () => {
    const { heard } = startScript(`
      import { spawn } from 'node:child_process';
      spawn(process.execPath, ['-e', 'setInterval(() => undefined, 1000)'], { stdio: 'inherit' });
      process.stdout.write(${JSON.stringify(LAST)}, () => process.exit(0));`);
    await until(() => heard.frames.length > 0);
    await until(() => heard.closed.length > 0, 2000);
    expect(heard.closed).toMatchObject([{ kind: 'exited' }]);
  });

  test('one that closes its output and stays is ended', async () => {
    const { heard } = startScript(
      `import { closeSync } from 'node:fs'; closeSync(1); setInterval(() => undefined, 1000);`,
    );
    await until(() => heard.closed.length > 0);
    expect(heard.closed).toEqual([
      { kind: 'exited', message: 'The server closed its output without exiting, and was ended.' },
    ]);
  });

  test('writing to a dead server is no error', async () => {
    const { heard, transport } = startScript('process.stdin.destroy(); process.exit(1)');
    while (heard.closed.length === 0) {
      transport.send(request('1', 'x', Buffer.from(`"${'x'.repeat(10_000)}"`)));
      await new Promise((resolve) => setTimeout(resolve, 1));
    }
    transport.send(notify('late'));
    expect(heard.closed).toEqual([{ kind: 'exited', message: 'The server exited with code 1.' }]);
  });

  test('closing is told once, and nothing after it', async () => {
    const { heard, transport } = startScript(`
      process.stdin.on('end', () => console.log('late')).resume();
      console.log('early');`);
    await until(() => heard.noise.length === 1);
    await Promise.all([transport.close(), transport.close()]);
    expect(heard.closed).toEqual([
      { kind: 'closed', message: 'The connection to the server was closed.' },
    ]);
    expect(heard.noise).toHaveLength(1);
  });
});

test('what is sent before the start is sent at the start', async () => {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: ['-e', 'process.stdin.pipe(process.stdout)'],
  });
  const heard = new Recorder();
  transport.send(request('1', 'early'));
  transport.start(heard);
  await until(() => heard.frames.length > 0);
  await transport.close();
  expect(heard.frames).toMatchObject([{ kind: 'request', id: '1', method: 'early' }]);
});

test('a server that does not read is ended all the same', async () => {
  const { heard, transport } = startScript('console.log("up"); setInterval(() => undefined, 1000)');
  await until(() => heard.noise.length === 1);
  transport.send(request('1', 'x', Buffer.from(`"${'x'.repeat(5_000_000)}"`)));
  await transport.close();
  expect(heard.closed).toHaveLength(1);
});

test('a request to a server that does not read is refused once much waits for it', async () => {
  const { heard, transport } = startScript('console.log("up"); setInterval(() => undefined, 1000)');
  await until(() => heard.noise.length === 1);
  const params = Buffer.from(`"${'x'.repeat(8 * 1024 * 1024)}"`);
  let sent = 0;
  await until(() => {
    if (heard.failed.length === 0) transport.send(request(String(++sent), 'x', params));
    return heard.failed.length > 0;
  });
  expect(sent).toBeLessThan(20);
  expect(heard.failed).toMatchObject([{ id: String(sent), failure: { kind: 'network' } }]);
  await transport.close();
});
