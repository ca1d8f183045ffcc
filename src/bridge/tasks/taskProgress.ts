import { notify, type NotifyFrame } from '../../protocol/frame.ts';
import { Method } from '../../protocol/methods.ts';
import { toRaw } from '../../protocol/rawJson.ts';
import type { Task } from '../../translate/tasks/task.ts';

/** Tells whoever waits for a task, at each look at it, that it goes on; the token is the client's, where it gave one. */
export function taskProgress(tell: (frame: NotifyFrame) => void): (task: Task) => void {
  let progress = 0;
  return ({ statusMessage }) => {
    progress++;
    const message = statusMessage === undefined ? {} : { message: statusMessage };
    tell(notify(Method.progress, toRaw({ progress, ...message })));
  };
}
