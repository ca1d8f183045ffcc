import { Method } from './methods.ts';

/** Which member a method's `Mcp-Name` header repeats (2026-07-28, Streamable HTTP, Standard Request Headers). */
export const NAMED_BY: ReadonlyMap<string, string> = new Map([
  [Method.toolsCall, 'name'],
  [Method.promptsGet, 'name'],
  [Method.resourcesRead, 'uri'],
]);
