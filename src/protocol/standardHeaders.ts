import { Method } from './methods.ts';

/**
 * Which member a method's `Mcp-Name` header repeats (2026-07-28, Streamable HTTP, Standard Request Headers; for tasks the
 * extension's Routing Headers).
 */
export const NAMED_BY: ReadonlyMap<string, string> = new Map([
  [Method.toolsCall, 'name'],
  [Method.promptsGet, 'name'],
  [Method.resourcesRead, 'uri'],
  [Method.tasksGet, 'taskId'],
  [Method.tasksUpdate, 'taskId'],
  [Method.tasksCancel, 'taskId'],
]);
