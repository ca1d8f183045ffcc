import { connect } from 'node:net';
import { describe, expect, test } from 'vitest';
import { listenStreamableHttp } from '../../../../src/transports/streamableHttp/streamableHttpServer.ts';
import {
  CALL,
  errorOf,
  openSession,
  openStream,
  post,
  silent,
  startEndpoint,
  POST_HEADERS,
} from './endpoint.ts';
import { INITIALIZE, NOTE, until } from './peers.ts';

describe('a fault of the bridge', () => {
  test('answers 500 and leaves the listener up', async () => {
    const { port, reports } = await startEndpoint({
      'tools/call': () => {
        throw new Error('a bug');
      },
    });
    const headers = await openSession(port);
    const reply = await post(port, CALL, headers);
    expect(reply.status).toBe(500);
    expect(errorOf(reply.body)).toMatchObject({ code: -32603 });
    expect(reports).toEqual(['Serving a request failed: Error: a bug']);
    expect((await post(port, NOTE, headers)).status).toBe(202);
  });

  test('in opening a session leaves none behind', async () => {
    const bug = (): never => {
      throw new Error('a bug');
    };
    const { port } = await startEndpoint({}, { endpoints: () => bug });
    expect(await post(port, INITIALIZE)).toMatchObject({ status: 500 });
    const { port: other, sessions } = await startEndpoint({ initialize: bug });
    expect(await post(other, INITIALIZE)).toMatchObject({ status: 500 });
    expect(sessions[0]?.closes).toBe(1);
  });
});

describe('the listener', () => {
  test('ends everything when it is closed', async () => {
    const endpoint = await startEndpoint({ 'tools/call': silent });
    const { port, sessions } = endpoint;
    const headers = { ...POST_HEADERS, ...(await openSession(port)) };
    const stream = await openStream(port, { headers });
    const call = post(port, CALL, headers).catch(() => undefined);
    await until(() => sessions[0]?.received.length === 2);
    await endpoint.close();
    await call;
    await until(() => stream.ended());
    expect(sessions[0]?.closes).toBe(1);
    await expect(post(port, INITIALIZE)).rejects.toMatchObject({ code: 'ECONNREFUSED' });
  });

  test('is bound to the loopback only', async () => {
    const { port } = await startEndpoint();
    const socket = connect(port, '127.0.0.2');
    const outcome = await new Promise((resolve) => {
      socket.once('error', () => resolve('refused'));
      socket.once('connect', () => resolve('open'));
    });
    socket.destroy();
    expect(outcome).toBe('refused');
  });

  test('says why it cannot listen', async () => {
    const { port } = await startEndpoint();
    expect(await listenStreamableHttp({ port, endpoints: () => undefined })).toEqual({
      kind: 'failed',
      message: `Something listens at 127.0.0.1:${port} already. Choose another --port.`,
    });
  });
});
