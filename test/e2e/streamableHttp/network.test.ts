import { readFileSync } from 'node:fs';
import { createServer as createHttpServer, type Server } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import { connect, type AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

import { toNodeHandler, type NodeIncomingMessageLike } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { describe, expect, onTestFinished } from 'vitest';

import { createEverythingServer } from '../../fixtures/everythingModern/server.ts';
import { createSurface } from '../../fixtures/everythingModern/surface.ts';
import { initializeLine, test } from '../reports/support/stage.ts';

const certificate = fileURLToPath(new URL('../../fixtures/tls/cert.pem', import.meta.url));
const tls = {
  cert: readFileSync(certificate),
  key: readFileSync(new URL('../../fixtures/tls/key.pem', import.meta.url)),
};

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

/** The everything server of 2026-07-28 behind TLS. */
async function startSecure(): Promise<number> {
  const surface = createSurface();
  const handler = createMcpHandler(() => createEverythingServer(surface), { legacy: 'reject' });
  const serve = toNodeHandler(handler);
  return listening(
    createHttpsServer(tls, (request, response) => {
      void serve(request as NodeIncomingMessageLike, response);
    }),
  );
}

/** A proxy that leads every tunnel to one port; `tunnels` are the places it was asked for. */
async function startProxy(port: number): Promise<{ url: string; tunnels: string[] }> {
  const tunnels: string[] = [];
  const proxy = createHttpServer();
  proxy.on('connect', (request, socket) => {
    tunnels.push(request.url ?? '');
    const onward = connect(port, '127.0.0.1', () => {
      socket.write('HTTP/1.1 200 OK\r\n\r\n');
      socket.pipe(onward).pipe(socket);
    });
    for (const end of [socket, onward])
      end.on('error', () => [socket, onward].map((each) => each.destroy()));
  });
  return { url: `http://127.0.0.1:${await listening(proxy)}`, tunnels };
}

describe('a server behind a proxy and an authority of one’s own', () => {
  test('is reached where the environment names both', async ({ stage }) => {
    const { url, tunnels } = await startProxy(await startSecure());
    Object.assign(stage.env, { HTTPS_PROXY: url, NODE_EXTRA_CA_CERTS: certificate });
    const cli = await stage.stdio('https://tools.example/mcp');
    for (let id = 1; id <= 5; id++) {
      const { result } = await cli.client.request(id, 'tools/call', { name: 'test_simple_text' });
      expect(result).toMatchObject({ content: [{ type: 'text' }] });
    }
    expect(new Set(tunnels)).toEqual(new Set(['tools.example:443']));
    // Its connections are used again; one may be busy while the next message leaves.
    expect(tunnels.length).toBeLessThanOrEqual(2);
  });

  test('is told of where nobody vouches for its certificate', async ({ stage }) => {
    const { url } = await startProxy(await startSecure());
    Object.assign(stage.env, { HTTPS_PROXY: url });
    const cli = stage.unopened('https://tools.example/mcp');
    cli.client.write(initializeLine());
    const { error } = await cli.client.response('open');
    expect(error?.message).toMatch(/its certificate is self-signed/);
  });

  test('is asked for directly where the environment exempts it', async ({ stage }) => {
    const { url, tunnels } = await startProxy(await startSecure());
    const NO_PROXY = 'other.example,tools.invalid';
    Object.assign(stage.env, { HTTPS_PROXY: url, HTTP_PROXY: url, NO_PROXY });
    const cli = stage.unopened('https://tools.invalid/mcp');
    cli.client.write(initializeLine());
    const { error } = await cli.client.response('open');
    expect(error?.message).toContain('Cannot reach https://tools.invalid');
    expect(tunnels).toEqual([]);
  });
});
