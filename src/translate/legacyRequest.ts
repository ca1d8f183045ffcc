import { withoutMeta } from '../protocol/metaEdit.ts';
import { Meta } from '../protocol/meta.ts';
import { removeMember } from '../protocol/rawEdit.ts';
import { getMember, kindOf, type RawJson } from '../protocol/rawJson.ts';

/** What a session of the legacy era was told once, and what only the modern one can say. */
const PER_REQUEST = [
  Meta.protocolVersion,
  Meta.clientInfo,
  Meta.clientCapabilities,
  Meta.logLevel,
] as const;

/** Answers to questions, which a server of the legacy era gets as responses (2026-07-28, Multi Round-Trip Requests). */
const RETRY = ['inputResponses', 'requestState'] as const;

/** A modern request's params as a server of the legacy era knows them: what is not the modern protocol's own is kept. */
export function toLegacyParams(params: RawJson): RawJson {
  if (kindOf(params) !== 'object') return params;
  let result = params;
  for (const key of RETRY) result = removeMember(result, key);
  const given = getMember(result, '_meta');
  if (given === undefined || kindOf(given) !== 'object') return result;
  return withoutMeta(result, PER_REQUEST);
}

/** What of a request's params says what is asked, whichever round it is asked in. */
export function salientParams(params: RawJson): RawJson {
  let result = params;
  for (const key of [...RETRY, '_meta']) result = removeMember(result, key);
  return result;
}
