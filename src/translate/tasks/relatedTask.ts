import { withMeta, withoutMeta } from '../../protocol/metaEdit.ts';
import { Meta } from '../../protocol/meta.ts';
import { getAt, objectOrEmpty, stringOf, toRaw, type RawJson } from '../../protocol/rawJson.ts';

/** The task that a message says it belongs to (2025-11-25, Tasks, Related Task Metadata). */
export function relatedTaskOf(params: RawJson | undefined): string | undefined {
  return params && stringOf(getAt(params, ['_meta', Meta.relatedTask, 'taskId']));
}

/** Params or a result that say which task they belong to. */
export function withRelatedTask(raw: RawJson | undefined, taskId: string): RawJson {
  return withMeta(objectOrEmpty(raw), Meta.relatedTask, toRaw({ taskId }));
}

/** Params or a result for a reader who does not know of the task. */
export function withoutRelatedTask(raw: RawJson): RawJson {
  const task = getAt(raw, ['_meta', Meta.relatedTask]);
  return task === undefined ? raw : withoutMeta(raw, [Meta.relatedTask]);
}
