import type { RequestFrame, ResponseFrame } from '../../protocol/frame.ts';
import type { RawJson } from '../../protocol/rawJson.ts';
import { TASKS_EXTENSION } from '../../translate/tasks/capability.ts';
import { extensionTask, mayBecomeTask } from '../../translate/tasks/task.ts';
import { declares, type ClientIdentity } from '../client.ts';
import type { Exchange } from '../exchange.ts';
import type { Caller, ModernUpstream } from '../modernUpstream.ts';
import { awaitForClient } from './awaitForClient.ts';
import { taskServerOf } from './taskServer.ts';

const UNASKABLE = {
  feature: 'tasks-extension',
  path: '',
  hint: 'The server made a task for a client that did not declare tasks, and asks for input in its course; the client can only answer that if it declares them.',
} as const;

/** The task with which a server answers a modern client that did not declare the extension, as none may. */
export function unwantedTask(
  request: RequestFrame,
  client: ClientIdentity,
  frame: ResponseFrame,
): RawJson | undefined {
  if (frame.error !== undefined || !mayBecomeTask(request.method)) return undefined;
  return declares(client, 'extensions', TASKS_EXTENSION) ? undefined : extensionTask(frame.result);
}

/** Awaits it all the same; only a question in its course has no way to the client. */
export function awaitUnwanted(
  exchange: Exchange,
  upstream: ModernUpstream,
  caller: Caller,
  task: RawJson,
): Promise<void> {
  return awaitForClient(
    exchange,
    taskServerOf(upstream, () => caller),
    task,
    () => Promise.resolve({ kind: 'refused', refusal: UNASKABLE }),
  );
}
