import { Method, type Methods } from '../../methods.ts';
import { methods as before } from '../2025-06-18/methods.ts';

export const methods: Methods = {
  requests: new Set([
    ...before.requests,
    Method.tasksGet,
    Method.tasksResult,
    Method.tasksList,
    Method.tasksCancel,
  ]),
  questions: before.questions,
  extensions: before.extensions,
};
