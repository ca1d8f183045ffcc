import { arrayOf, removeMember, setMember, splice } from '../../protocol/rawEdit.ts';
import {
  getAt,
  getMember,
  itemsOf,
  membersOf,
  stringOf,
  toRaw,
  type RawJson,
} from '../../protocol/rawJson.ts';
import { Edition } from '../edition.ts';
import { isSafeUrl } from '../safeUrl.ts';
import type { Question, QuestionContext } from './types.ts';

/** Puts an `elicitation/create` into what the client's revision and capabilities allow. */
export function lowerElicitation(params: RawJson, context: QuestionContext): Question {
  const edition = new Edition(params, context.policy);
  if (stringOf(getMember(params, 'mode')) === 'url') return lowerUrl(edition, context);
  if (!context.to.features.has('elicitation-titled-enum')) {
    for (const { key, value } of fieldsOf(params)) lowerField(edition, key, value);
  }
  return asked(edition);
}

function asked(edition: Edition): Question {
  const outcome = edition.outcome();
  if (outcome.kind === 'refused') return outcome;
  return { kind: 'ask', params: edition.raw, steps: outcome.steps };
}

function lowerUrl(edition: Edition, context: QuestionContext): Question {
  const url = stringOf(getMember(edition.raw, 'url')) ?? '';
  if (!isSafeUrl(url)) {
    edition.note('unsafe-url', ['url'], 'an address that is not https', 'declined', 'warning');
    const { steps } = edition.outcome();
    return { kind: 'answered', result: toRaw({ action: 'decline' }), steps };
  }
  if (context.to.features.has('elicitation-url') && context.declares('elicitation', 'url')) {
    // 2025-11-25 demands an id, later revisions know none.
    if (getMember(edition.raw, 'elicitationId') === undefined) {
      edition.raw = setMember(edition.raw, 'elicitationId', toRaw(context.elicitationId));
    }
    return asked(edition);
  }
  const hint =
    'This client cannot be sent to a web address; allow "elicitation-url" to show it the address as a question to confirm.';
  if (edition.mayLose('elicitation-url', [], 'a web address to open', 'a form with it', hint)) {
    const message = stringOf(getMember(edition.raw, 'message')) ?? 'The server asks you to open:';
    const requestedSchema = { type: 'object', properties: {} };
    edition.raw = toRaw({ message: `${message}\n${url}`, requestedSchema });
  }
  return asked(edition);
}

function fieldsOf(params: RawJson): { key: string; value: RawJson }[] {
  const properties = getAt(params, ['requestedSchema', 'properties']);
  return properties === undefined ? [] : membersOf(properties);
}

/** A form's field for 2025-06-18, where an enum's titles stand in `enumNames` and one value is all one can choose. */
function lowerField(edition: Edition, name: string, field: RawJson): void {
  const path = ['requestedSchema', 'properties', name];
  if (stringOf(getMember(field, 'type')) === 'array') {
    edition.refusal ??= {
      feature: 'elicitation-multi-select',
      path: `/${path.join('/')}`,
      hint: `The server lets one choose several values in "${name}"; this client's revision has no such field.`,
    };
    return;
  }
  const options = itemsOf(getMember(field, 'oneOf') ?? toRaw([]));
  const values = options.map((option) => getMember(option, 'const'));
  const known = values.filter((value) => value !== undefined);
  if (options.length === 0 || known.length < values.length) return;
  const titles = options.map((option, index) => getMember(option, 'title') ?? known[index]);
  let lowered = removeMember(field, 'oneOf');
  if (getMember(field, 'type') === undefined) lowered = setMember(lowered, 'type', toRaw('string'));
  lowered = setMember(lowered, 'enum', arrayOf(known));
  lowered = setMember(lowered, 'enumNames', arrayOf(titles.filter((title) => title !== undefined)));
  edition.raw = splice(edition.raw, path, lowered);
  edition.note('elicitation-titled-enum', path, 'oneOf with titles', 'enum with enumNames');
}
