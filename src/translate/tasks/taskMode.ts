/** What a client of 2025-11-25 sees of the extension's tasks: one slow call, or the tasks of its own revision. */
export const TASK_MODES = ['await', 'expose'] as const;

export type TaskMode = (typeof TASK_MODES)[number];
