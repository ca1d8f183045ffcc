import type { ResponseFrame } from '../../protocol/frame.ts';
import { Method } from '../../protocol/methods.ts';
import { getMember, kindOf, stringOf, type RawJson } from '../../protocol/rawJson.ts';

/** The states of a task, alike in 2025-11-25 and in the extension. */
const STATUSES = ['working', 'input_required', 'completed', 'failed', 'cancelled'] as const;

export type TaskStatus = (typeof STATUSES)[number];

/** What a task says of itself, whichever of its two shapes it has. */
export interface Task {
  readonly taskId: string;
  readonly status: TaskStatus;
  readonly statusMessage: string | undefined;
  /** How long it may be kept since it was made, in milliseconds; undefined where that is not limited. */
  readonly ttlMs: number | undefined;
  /** How long to wait between two looks at it, in milliseconds. */
  readonly pollIntervalMs: number | undefined;
}

/** Reads a task of either shape; undefined where it is none. */
export function readTask(raw: RawJson | undefined): Task | undefined {
  if (raw === undefined) return undefined;
  const taskId = stringOf(getMember(raw, 'taskId'));
  const status = stringOf(getMember(raw, 'status'));
  if (taskId === undefined || !isStatus(status)) return undefined;
  const milliseconds = (modern: string, legacy: string): number | undefined =>
    positive(getMember(raw, modern) ?? getMember(raw, legacy));
  return {
    taskId,
    status,
    statusMessage: stringOf(getMember(raw, 'statusMessage')),
    ttlMs: milliseconds('ttlMs', 'ttl'),
    pollIntervalMs: milliseconds('pollIntervalMs', 'pollInterval'),
  };
}

/** True for a state that no task leaves again. */
export function isTerminal(status: TaskStatus): boolean {
  return status !== 'working' && status !== 'input_required';
}

/**
 * True where the extension's servers may answer a request with a task (Supported Methods); such an answer to any other is
 * not valid.
 */
export function mayBecomeTask(method: string): boolean {
  return method === Method.toolsCall;
}

/** The task with which a server of the extension answers in place of a result; undefined where it does not. */
export function extensionTask(result: RawJson): RawJson | undefined {
  const isTask = stringOf(getMember(result, 'resultType')) === 'task';
  return isTask && readTask(result) !== undefined ? result : undefined;
}

/** The task with which a server of 2025-11-25 answers in place of a result; undefined where it does not. */
export function createdTask(result: RawJson): RawJson | undefined {
  if (getMember(result, 'content') !== undefined) return undefined;
  const task = getMember(result, 'task');
  return readTask(task) === undefined ? undefined : task;
}

/** True for an answer that is a task of 2025-11-25 and no result yet. */
export function isTaskAnswer(frame: ResponseFrame): boolean {
  return frame.error === undefined && createdTask(frame.result) !== undefined;
}

function isStatus(name: string | undefined): name is TaskStatus {
  return (STATUSES as readonly (string | undefined)[]).includes(name);
}

function positive(raw: RawJson | undefined): number | undefined {
  if (raw === undefined || kindOf(raw) !== 'number') return undefined;
  const value = Number(raw.toString('latin1'));
  return value > 0 ? value : undefined;
}
