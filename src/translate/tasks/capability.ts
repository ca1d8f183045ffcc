import type { FrameError } from '../../protocol/frame.ts';
import { ErrorCode } from '../../protocol/errorCodes.ts';
import { removeMember, setMember } from '../../protocol/rawEdit.ts';
import { getAt, getMember, objectOrEmpty, toRaw, type RawJson } from '../../protocol/rawJson.ts';

/** The extension's name (Tasks, Extension Identifier). */
export const TASKS_EXTENSION = 'io.modelcontextprotocol/tasks';

/** What a client has to declare that wants to hear of tasks (Tasks, Capability Negotiation). */
export const TASKS_REQUIRED = {
  requiredCapabilities: { extensions: { [TASKS_EXTENSION]: {} } },
} as const;

/** What a server of 2025-11-25 promises that makes tasks of tool calls. */
const PROMISE = { list: {}, cancel: {}, requests: { tools: { call: {} } } } as const;

/** The same capabilities with the extension among them. */
export function withTasksExtension(capabilities: RawJson): RawJson {
  const extensions = objectOrEmpty(getMember(capabilities, 'extensions'));
  if (getMember(extensions, TASKS_EXTENSION) !== undefined) return capabilities;
  return setMember(capabilities, 'extensions', setMember(extensions, TASKS_EXTENSION, toRaw({})));
}

/** A server's capabilities as a client of 2025-11-25 is shown them whom the extension's tasks are exposed to. */
export function withTasksPromise(capabilities: RawJson): RawJson {
  return setMember(capabilities, 'tasks', toRaw(PROMISE));
}

/** The capabilities of a server with the tasks of 2025-11-25, as the modern era says them. */
export function withExtensionInstead(capabilities: RawJson): RawJson {
  return withTasksExtension(removeMember(capabilities, 'tasks'));
}

/** True for the refusal of a server that cannot serve a request but by a task (Tasks, Capability Negotiation). */
export function demandsTasks(error: FrameError): boolean {
  if (error.code !== ErrorCode.missingRequiredClientCapability) return false;
  const path = ['requiredCapabilities', 'extensions', TASKS_EXTENSION];
  return error.data !== undefined && getAt(error.data, path) !== undefined;
}
