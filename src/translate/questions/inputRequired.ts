import { Meta } from '../../protocol/meta.ts';
import { withoutMeta } from '../../protocol/metaEdit.ts';
import { Method } from '../../protocol/methods.ts';
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
import { withServerInfo } from '../discoverResult.ts';
import { pointer, type Refusal } from '../report.ts';
import { isSafeUrl } from '../../base/safeUrl.ts';

/** A question of a legacy server's, in the client's terms. */
export interface InputRequest {
  readonly method: string;
  readonly params: RawJson | undefined;
}

/** A result that asks for input (2026-07-28, Multi Round-Trip Requests, InputRequiredResult). */
export function inputRequired(
  requests: ReadonlyMap<string, InputRequest>,
  requestState: string,
  serverInfo: RawJson | undefined,
): RawJson {
  const result = toRaw({ resultType: 'input_required' });
  const withRequests = setMember(result, 'inputRequests', inputRequestsOf(requests));
  return withServerInfo(setMember(withRequests, 'requestState', toRaw(requestState)), serverInfo);
}

/** The questions of a legacy server as the modern era writes them, by their keys. */
export function inputRequestsOf(requests: ReadonlyMap<string, InputRequest>): RawJson {
  let asked = toRaw({});
  for (const [key, { method, params }] of requests) {
    const request = toRaw({ method });
    const whole = params === undefined ? request : setMember(request, 'params', ownParams(params));
    asked = setMember(asked, key, whole);
  }
  return asked;
}

/**
 * A result that sends its reader to an address that nobody may be sent to, is refused whole: between two peers of the
 * modern era the bridge holds nothing in which it could answer one question and pass on the others.
 */
export function unsafeQuestion(result: RawJson): Refusal | undefined {
  for (const { key, value } of membersOf(getMember(result, 'inputRequests') ?? toRaw({}))) {
    const url = stringOf(getAt(value, ['params', 'url']));
    if (stringOf(getMember(value, 'method')) !== Method.elicit || url === undefined) continue;
    if (isSafeUrl(url)) continue;
    return {
      feature: 'unsafe-url',
      path: pointer(['inputRequests', key, 'params', 'url']),
      hint: 'The server asks to open an address that is not https; nobody was shown it.',
    };
  }
  return undefined;
}

/** The answers to questions that a retry brings, by the keys they were asked under; what is no object is no answer. */
export function inputResponses(params: RawJson | undefined): ReadonlyMap<string, RawJson> {
  const responses = params && getMember(params, 'inputResponses');
  const answers = responses === undefined ? [] : membersOf(responses);
  return new Map(
    answers
      .filter(({ value }) => kindOf(value) === 'object')
      .map(({ key, value }) => [key, value] as const),
  );
}

/**
 * Without what only the other leg's request needs: its progress token, the task it belongs to, and an id that this era has no
 * use for.
 */
function ownParams(params: RawJson): RawJson {
  return withoutMeta(removeMember(params, 'elicitationId'), [Meta.relatedTask, 'progressToken']);
}
