import type { Rule, Script, Step } from '../../fixtures/raw/script.ts';
import type { Members } from '../../support/rawClient.ts';
import { legacy } from '../reports/support/rules.ts';
import type { Stage } from '../reports/support/stage.ts';

export const text = (words: string) => ({ content: [{ type: 'text', text: words }] });

export const tool = (name: string, annotations?: Members) => ({
  name,
  inputSchema: { type: 'object' },
  ...(annotations && { annotations }),
});

const listed = {
  tools: [
    tool('read', { readOnlyHint: true }),
    tool('same', { idempotentHint: true }),
    tool('write', { destructiveHint: false }),
    tool('plain'),
  ],
};

export const notFound: Step[] = [
  { head: { status: 404 } },
  { send: { jsonrpc: '2.0', error: { code: -32001, message: 'Session not found' }, id: null } },
];

/** What an example server of the TypeScript SDK says after it was started again. */
export const badRequest: Step[] = [
  { head: { status: 400 } },
  {
    send: {
      jsonrpc: '2.0',
      error: { code: -32000, message: 'Bad Request: No valid session ID provided' },
      id: null,
    },
  },
];

/** A server that opens a session under another name each time, and forgets it at some of its messages. */
export function forgets(...rules: Rule[]): Script {
  const initialized = {
    protocolVersion: '2025-11-25',
    capabilities: { tools: { listChanged: true }, logging: {}, resources: { subscribe: true } },
    serverInfo: { name: 'scripted', version: '1.0.0' },
  };
  const opens = (session: string): Step[] => [
    { head: { headers: { 'Mcp-Session-Id': session } } },
    { result: initialized },
  ];
  return legacy(
    '2025-11-25',
    ...rules,
    { on: 'initialize', nth: 1, steps: opens('first') },
    { on: 'initialize', nth: 2, steps: opens('second') },
    { on: 'initialize', steps: opens('third') },
    { on: 'GET', steps: [{ head: { status: 405 } }] },
    { on: 'tools/list', steps: [{ result: listed }] },
    { on: 'logging/setLevel', steps: [{ result: {} }] },
    { on: 'resources/subscribe', steps: [{ result: {} }] },
  );
}

/** The session under which each of these messages came. */
export function sessionsOf(stage: Stage, method: string): unknown[] {
  return stage.run.requests
    .filter(({ body }) => body.includes(`"${method}"`))
    .map(({ headers }) => headers['mcp-session-id']);
}
