import { Meta } from '../../protocol/meta.ts';
import { removeMember, setMember } from '../../protocol/rawEdit.ts';
import {
  getAt,
  getMember,
  kindOf,
  membersOf,
  stringOf,
  toRaw,
  type RawJson,
} from '../../protocol/rawJson.ts';

/** The task that a message says it belongs to (2025-11-25, Tasks, Related Task Metadata). */
export function relatedTaskOf(params: RawJson | undefined): string | undefined {
  return params && stringOf(getAt(params, ['_meta', Meta.relatedTask, 'taskId']));
}

/** Params or a result that say which task they belong to. */
export function withRelatedTask(raw: RawJson | undefined, taskId: string): RawJson {
  const object = raw !== undefined && kindOf(raw) === 'object' ? raw : toRaw({});
  const given = getMember(object, '_meta');
  const meta = given !== undefined && kindOf(given) === 'object' ? given : toRaw({});
  return setMember(object, '_meta', setMember(meta, Meta.relatedTask, toRaw({ taskId })));
}

/** Params or a result for a reader who does not know of the task. */
export function withoutRelatedTask(raw: RawJson): RawJson {
  const meta = getMember(raw, '_meta');
  if (meta === undefined || getMember(meta, Meta.relatedTask) === undefined) return raw;
  const rest = removeMember(meta, Meta.relatedTask);
  return membersOf(rest).length === 0 ? removeMember(raw, '_meta') : setMember(raw, '_meta', rest);
}
