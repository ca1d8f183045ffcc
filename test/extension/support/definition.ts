import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';

/** How the editor reaches a server: what its definition says. */
export interface Definition {
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
}

/** Node tells of each request that an HTTP server of this process, the listener among them, gets. */
const CHANNEL = 'http.server.request.start';

/** Runs something that lets the editor connect to the server of this name, and learns from its request how it does. */
export async function definitionOf(
  name: string,
  connect: () => Promise<unknown>,
): Promise<Definition> {
  let definition: Definition | undefined;
  const onRequest = (message: unknown): void => {
    const { request } = message as { readonly request: IncomingMessage };
    const { host, authorization } = request.headers;
    if (request.url !== `/${name}/mcp` || authorization === undefined) return;
    const url = new URL(`http://${host}${request.url}`);
    definition ??= { url, headers: { Authorization: authorization } };
  };
  subscribe(CHANNEL, onRequest);
  try {
    await connect();
  } finally {
    unsubscribe(CHANNEL, onRequest);
  }
  if (definition === undefined) throw new Error(`The editor has not connected to ${name}.`);
  return definition;
}
