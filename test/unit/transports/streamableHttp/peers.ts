import type { Frame } from '../../../../src/protocol/frame.ts';
import { messageBytes } from '../../../../src/protocol/jsonRpc.ts';

/** Resolves once a condition holds; the test's own time-out is the only clock. */
export async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await new Promise((resolve) => setTimeout(resolve, 1));
}

/** A message as plain data, for whole-value assertions. */
export function plain(frame: Frame): unknown {
  return JSON.parse(messageBytes(frame).toString('utf8'));
}

export const INITIALIZE = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'test', version: '1' },
  },
};

/** A notification. */
export const NOTE = { jsonrpc: '2.0', method: 'notifications/x' };
