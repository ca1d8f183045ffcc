import { ErrorCode } from '../protocol/errorCodes.ts';
import type { FrameError } from '../protocol/frame.ts';
import { Method } from '../protocol/methods.ts';
import type { Profile } from '../protocol/profile.ts';
import { setMember } from '../protocol/rawEdit.ts';
import { getMember, kindOf, toRaw, type RawJson } from '../protocol/rawJson.ts';

/**
 * A legacy server's error as a modern client may be told of it. Only a resource that was not found has another code
 * there (2026-07-28, Resources, Error Handling); all other words are the server's.
 */
export function errorForModern(
  method: string,
  error: FrameError,
  params: RawJson | undefined,
  to: Profile,
): FrameError {
  if (error.code !== ErrorCode.resourceNotFound || method !== Method.resourcesRead) return error;
  const uri = params && getMember(params, 'uri');
  const code = to.codec.resourceNotFound;
  if (code === error.code) return error;
  let raw = setMember(error.raw, 'code', toRaw(code));
  let { data } = error;
  const hasRoom = data === undefined || kindOf(data) === 'object';
  if (uri !== undefined && hasRoom && getMember(data ?? toRaw({}), 'uri') === undefined) {
    data = setMember(data ?? toRaw({}), 'uri', uri);
    raw = setMember(raw, 'data', data);
  }
  return { ...error, code, data, raw };
}
