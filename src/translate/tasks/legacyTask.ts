import { withMetaOf } from '../../protocol/metaEdit.ts';
import { removeMember, setMember } from '../../protocol/rawEdit.ts';
import {
  getMember,
  isNull,
  kindOf,
  stringOf,
  toRaw,
  type RawJson,
} from '../../protocol/rawJson.ts';
import { isErrorResult } from '../results/toolResult.ts';

/** What a task of the extension holds beyond the members of a task of 2025-11-25. */
const EXTENSION_ONLY = ['resultType', 'result', 'error', 'inputRequests', '_meta'] as const;

/**
 * A task of the extension as 2025-11-25 writes it; `at` is the time to give for one that the server did not. A tool's own
 * error counts as a failure there (2025-11-25, Tasks, Task Execution Errors).
 */
export function toLegacyTask(task: RawJson, at: string): RawJson {
  const result = getMember(task, 'result');
  const failed =
    stringOf(getMember(task, 'status')) === 'completed' &&
    result !== undefined &&
    isErrorResult(result);
  let legacy = task;
  for (const key of EXTENSION_ONLY) legacy = removeMember(legacy, key);
  if (failed) legacy = setMember(legacy, 'status', toRaw('failed'));
  for (const key of ['createdAt', 'lastUpdatedAt']) {
    if (stringOf(getMember(legacy, key)) === undefined) legacy = setMember(legacy, key, toRaw(at));
  }
  const message = getMember(legacy, 'statusMessage');
  if (message !== undefined && kindOf(message) !== 'string') {
    legacy = removeMember(legacy, 'statusMessage');
  }
  const ttl = wholeOf(getMember(legacy, 'ttlMs'));
  const pollInterval = wholeOf(getMember(legacy, 'pollIntervalMs'));
  legacy = removeMember(removeMember(legacy, 'ttlMs'), 'pollIntervalMs');
  legacy = setMember(legacy, 'ttl', ttl ?? toRaw(null));
  return pollInterval === undefined ? legacy : setMember(legacy, 'pollInterval', pollInterval);
}

/** The CreateTaskResult of 2025-11-25 for a task with which a server of the extension answered. */
export function legacyCreateTaskResult(task: RawJson, at: string): RawJson {
  const result = setMember(toRaw({}), 'task', toLegacyTask(task, at));
  return withMetaOf(result, task);
}

/** A number of milliseconds with its bytes, where it is a whole one as both schemas demand. */
export function wholeOf(raw: RawJson | undefined): RawJson | undefined {
  if (raw === undefined || isNull(raw) || kindOf(raw) !== 'number') return undefined;
  const value = Number(raw.toString('latin1'));
  if (Number.isInteger(value)) return raw;
  return Number.isFinite(value) ? toRaw(Math.round(value)) : undefined;
}
