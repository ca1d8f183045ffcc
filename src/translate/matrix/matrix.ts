import { FEATURES, type Feature } from '../../protocol/concern.ts';
import { profileOf, type Profile } from '../../protocol/profile.ts';
import { toRaw } from '../../protocol/rawJson.ts';
import { REVISIONS, type Revision } from '../../protocol/revision.ts';
import { lowerRequest } from '../lowerRequest.ts';
import { STRICT, type DegradePolicy } from '../policy.ts';
import { lowerQuestion } from '../questions/question.ts';
import type { Step } from '../report.ts';
import { lowerResult } from '../results/lowerResult.ts';
import { lowerToolList } from '../toolList/lowerToolList.ts';
import { SPECIMENS } from './specimens.ts';

/**
 * How a feature gets to its reader. `untouched`: byte for byte. `lossless`: written otherwise, nothing lost. `lossy`: only
 * where the policy allows it. `refused`: under every policy. `absent`: the writer's revision does not have it.
 */
export type Passage = 'untouched' | 'lossless' | 'lossy' | 'refused' | 'absent';

/** One feature between the revision that says it and the one that reads it. */
export interface Crossing {
  readonly feature: Feature;
  readonly from: Revision;
  readonly to: Revision;
  readonly passage: Passage;
  /** What the reader gets in its place, in a few words; absent where that is the thing itself, or nothing. */
  readonly instead?: string;
}

/** Finds out how a feature crosses, by putting a message that needs it to the rules that translate. */
export function crossing(feature: Feature, from: Revision, to: Revision): Crossing {
  const ends = { feature, from, to };
  const writer = profileOf(from);
  const reader = profileOf(to);
  if (!writer.features.has(feature)) return { ...ends, passage: 'absent' };
  const specimen = SPECIMENS[feature];
  if (specimen.kind === 'conversation') {
    return reader.features.has(feature)
      ? { ...ends, passage: 'untouched' }
      : { ...ends, passage: 'lossless', instead: specimen.instead };
  }
  const strict = lowered(feature, writer, reader, STRICT);
  if (strict !== undefined) return { ...ends, ...passed(strict, 'lossless') };
  const allowed: DegradePolicy = { kind: 'features', features: new Set([feature]) };
  const lenient = lowered(feature, writer, reader, allowed);
  return lenient === undefined
    ? { ...ends, passage: 'refused' }
    : { ...ends, ...passed(lenient, 'lossy') };
}

/** Every crossing of every feature that the writer's revision has. */
export function allCrossings(): Crossing[] {
  return REVISIONS.flatMap((from) => REVISIONS.flatMap((to) => crossingsBetween(from, to)));
}

/** How everything that one revision can say gets to a reader of the other. */
export function crossingsBetween(from: Revision, to: Revision): Crossing[] {
  return FEATURES.map((feature) => crossing(feature, from, to)).filter(
    ({ passage }) => passage !== 'absent',
  );
}

/** The newest revision that can say it: what its feature is in full. */
export function newestWith(feature: Feature): Revision {
  const dated = REVISIONS.filter((revision) => revision !== 'draft');
  return dated.findLast((revision) => profileOf(revision).features.has(feature)) ?? 'draft';
}

function passed(steps: readonly Step[], passage: Passage): Pick<Crossing, 'passage' | 'instead'> {
  const [first] = steps;
  return first === undefined ? { passage: 'untouched' } : { passage, instead: first.after };
}

/** The steps it takes, or undefined where the message is refused. */
function lowered(
  feature: Feature,
  from: Profile,
  to: Profile,
  policy: DegradePolicy,
): readonly Step[] | undefined {
  const specimen = SPECIMENS[feature];
  switch (specimen.kind) {
    case 'conversation':
      return [];
    case 'result': {
      const context = { from, to, policy, promisedOutput: false };
      const outcome = lowerResult(specimen.method, toRaw(specimen.value), context);
      return outcome.kind === 'refused' ? undefined : outcome.steps;
    }
    case 'request': {
      const outcome = lowerRequest(specimen.method, toRaw(specimen.value), to, policy);
      return outcome.kind === 'refused' ? undefined : outcome.steps;
    }
    case 'question': {
      const question = lowerQuestion(specimen.method, toRaw(specimen.value), {
        from,
        to,
        policy,
        declares: (...path) => canDeclare(to, path.join('/')),
        elicitationId: 'rosetta',
      });
      return question.kind === 'ask' ? question.steps : undefined;
    }
    case 'tool': {
      const list = toRaw({ tools: [specimen.value], ttlMs: 0, cacheScope: 'private' });
      const context = { from, to, policy, upstream: 'stdio', aliases: new Map() } as const;
      const { steps, withheld } = lowerToolList(list, context);
      return withheld.length > 0 ? undefined : steps;
    }
  }
}

/** What a client of a revision can declare at most. */
export function canDeclare({ features }: Profile, capability: string): boolean {
  switch (capability) {
    case 'elicitation':
    case 'elicitation/form':
      return features.has('elicitation-form');
    case 'elicitation/url':
      return features.has('elicitation-url');
    case 'sampling/tools':
      return features.has('sampling-tools');
    default:
      return true;
  }
}
