import { getAt, stringOf, type RawJson } from '../protocol/rawJson.ts';

const TASK_SUPPORT = ['forbidden', 'optional', 'required'] as const;

/** Whether calls of a tool can or must be tasks. */
export type TaskSupport = (typeof TASK_SUPPORT)[number];

/** What a tool needs of those who call it, as its definition says. */
export interface ToolRequirements {
  readonly taskSupport: TaskSupport;
}

/** Reads what a tool needs; what it does not say, or says in no known word, it does not need (2025-11-25, ToolExecution). */
export function readRequirements(tool: RawJson): ToolRequirements {
  const declared = stringOf(getAt(tool, ['execution', 'taskSupport']));
  return { taskSupport: TASK_SUPPORT.find((word) => word === declared) ?? 'forbidden' };
}
