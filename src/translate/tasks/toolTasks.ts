import { editAt, setMember } from '../../protocol/rawEdit.ts';
import {
  getAt,
  getMember,
  itemsOf,
  kindOf,
  stringOf,
  toRaw,
  type RawJson,
  objectOrEmpty,
} from '../../protocol/rawJson.ts';

/** Whether a tool can be called as a task (2025-11-25, Tasks, Tool-Level Negotiation). */
export type TaskSupport = 'forbidden' | 'optional' | 'required';

/** What a tool's definition says of tasks; `forbidden` where it says nothing. */
export function taskSupportOf(tool: RawJson): TaskSupport {
  const support = stringOf(getAt(tool, ['execution', 'taskSupport']));
  return support === 'optional' || support === 'required' ? support : 'forbidden';
}

/** A `tools/list` result in which every tool may be called as a task; what a tool says itself is kept. */
export function withTaskSupport(result: RawJson): RawJson {
  const tools = getMember(result, 'tools');
  let offered = result;
  itemsOf(tools ?? toRaw([])).forEach((_tool, index) => {
    offered = editAt(offered, ['tools', index], offer);
  });
  return offered;
}

function offer(tool: RawJson): RawJson {
  if (kindOf(tool) !== 'object') return tool;
  const execution = objectOrEmpty(getMember(tool, 'execution'));
  if (getMember(execution, 'taskSupport') !== undefined) return tool;
  return setMember(tool, 'execution', setMember(execution, 'taskSupport', toRaw('optional')));
}
