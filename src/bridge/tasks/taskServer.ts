import type { RequestFrame } from '../../protocol/frame.ts';
import { withTasksExtension } from '../../translate/tasks/capability.ts';
import type { CallOutcome } from '../callOutcome.ts';
import type { ClientIdentity } from '../client.ts';
import type { Caller, ModernUpstream } from '../modernUpstream.ts';

/** The server that made a task: whoever made it is asked for it. */
export interface TaskServer {
  /** The longest that a task is waited for, in milliseconds. */
  readonly maxMs: number;
  call(request: RequestFrame): Promise<CallOutcome>;
}

/**
 * A modern server as the bridge itself asks it for tasks. It is the bridge that waits for them, and so the bridge that
 * declares the extension, whoever the client is (Tasks, Backwards Compatibility).
 */
export function taskServerOf(upstream: ModernUpstream, caller: () => Caller): TaskServer {
  return {
    maxMs: upstream.timeouts.maxRequestMs,
    call: (request) =>
      new Promise((resolve) => {
        const { client, logLevel } = caller();
        const own = { client: withTasks(client), logLevel };
        upstream.call(request, own, { onOutcome: resolve });
      }),
  };
}

/** The client as one for whom tasks are waited for. */
export function withTasks(client: ClientIdentity): ClientIdentity {
  return { ...client, capabilities: withTasksExtension(client.capabilities) };
}
