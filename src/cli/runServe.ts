import type { ZapAddress } from '../protocol/zap/address.ts';
import { listenHttp } from '../transports/http/httpListener.ts';
import { serveSse } from '../transports/sse/sseServer.ts';
import { serveStreamableHttp } from '../transports/streamableHttp/streamableHttpServer.ts';
import { listenZap } from '../transports/zap/zapServer.ts';
import { inspect } from '../bridge/inspect.ts';
import type { Bridge } from '../bridge/bridge.ts';
import { serveModern, type ModernService } from '../transports/streamableHttp/modernEndpoint.ts';
import { listenUnixSocket } from '../transports/unixSocket/unixSocketServer.ts';
import type { CliCommand } from './command.ts';
import type { Face } from './face.ts';

/**
 * Serves until a signal comes: one server on a local socket, or Streamable HTTP at `/mcp` (`/NAME/mcp` for several
 * servers), and HTTP+SSE beside it where that is asked for.
 */
export async function runServe(
  face: Face,
  command: Extract<CliCommand, { kind: 'serve' }>,
): Promise<number> {
  const { bridges } = face;
  const { listen, target } = command;
  const single = target.kind !== 'config';
  if (single && !(await startsUp(face))) return 1;
  if (listen.kind === 'socket') return runSocket(face, listen.path);
  if (listen.kind === 'zap') return serveZap(face, listen.address);
  const at = (end: string): Map<string, Bridge> =>
    new Map(
      bridges.map((bridge) => [single ? end : `/${encodeURIComponent(bridge.name)}${end}`, bridge]),
    );
  const endpoints = at('/mcp');
  const streams = listen.sse ? at('/sse') : new Map<string, Bridge>();
  const report = (message: string): void => face.log('warning', message);
  const listening = await listenHttp({
    port: listen.port,
    token: listen.token,
    services: [
      serveStreamableHttp({
        endpoints: (path) => endpoints.get(path)?.accept,
        acceptModern: serveModern({ service: (path) => serviceOf(endpoints.get(path)), report }),
        report,
        holdMs: listen.holdMs,
      }),
      serveSse({ endpoints: (path) => streams.get(path)?.accept, report }),
    ],
    report,
  });
  if (listening.kind === 'failed') {
    face.log('error', listening.message);
    return 1;
  }
  const { port, transport } = listening;
  for (const path of [...endpoints.keys(), ...streams.keys()]) {
    process.stderr.write(`listening on http://127.0.0.1:${port}${path}\n`);
  }
  await new Promise<void>((resolve) => face.onSignal(resolve));
  for (const bridge of bridges) bridge.endStreams();
  await transport.close();
  return 0;
}

/** Serves the one server over ZAP until a signal comes. */
async function serveZap(face: Face, address: ZapAddress): Promise<number> {
  const [bridge] = face.bridges;
  if (bridge === undefined) return 1;
  const listening = await listenZap({
    address,
    accept: bridge.accept,
    report: (message) => face.log('warning', message),
  });
  if (listening.kind === 'failed') {
    face.log('error', listening.message);
    return 1;
  }
  const { transport } = listening;
  if (address.kind === 'tcp') face.log('warning', whoReaches(address.host));
  process.stderr.write(`listening on ${transport.address}\n`);
  await new Promise<void>((resolve) => face.onSignal(resolve));
  await transport.close();
  return 0;
}

function whoReaches(host: string): string {
  return isLoopback(host)
    ? 'Every user of this machine can reach the server: ZAP knows no token. A zap+unix address is yours alone.'
    : `Everyone who reaches ${host} can use the server: ZAP knows no token and no encryption.`;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || host.startsWith('127.');
}

/** Serves the clients of one local socket until a signal comes. */
async function runSocket(face: Face, path: string): Promise<number> {
  const [bridge] = face.bridges;
  if (bridge === undefined) return 1;
  const listening = await listenUnixSocket({
    path,
    accept: bridge.accept,
    report: (message) => face.log('warning', message),
  });
  if (listening.kind === 'failed') {
    face.log('error', listening.message);
    return 1;
  }
  process.stderr.write(`listening on ${path}\n`);
  await new Promise<void>((resolve) => face.onSignal(resolve));
  bridge.endStreams();
  await listening.transport.close();
  return 0;
}

function serviceOf(bridge: Bridge | undefined): ModernService | undefined {
  return bridge && { accept: bridge.acceptModern, paramHeaders: bridge.paramHeaders };
}

/** A server that cannot even be looked at is told of at once, not when the first client comes. */
async function startsUp(face: Face): Promise<boolean> {
  const [bridge] = face.bridges;
  if (bridge === undefined) return false;
  const inspection = await inspect(bridge.accept, face.version, (message) =>
    face.log('warning', message),
  );
  // The reason is in the log already, as the server's state.
  return inspection.kind === 'tools' || !('message' in bridge.state);
}
