import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { profileOf, type Reader } from '../../src/protocol/profile.ts';
import { REVISIONS, type Revision } from '../../src/protocol/revision.ts';
import { canDeclare } from '../../src/translate/matrix/matrix.ts';
import { lowerRequest } from '../../src/translate/lowerRequest.ts';
import { parsePolicy, type DegradePolicy } from '../../src/translate/policy.ts';
import { lowerQuestion } from '../../src/translate/questions/question.ts';
import type { Refusal, Step } from '../../src/translate/report.ts';
import { lowerResult } from '../../src/translate/results/lowerResult.ts';
import { lowerToolList } from '../../src/translate/toolList/lowerToolList.ts';

/** What went in: one message, as its writer's revision has it. */
export interface Given {
  /** What this example is there for. */
  readonly about: string;
  readonly kind: 'result' | 'tools' | 'question' | 'request';
  readonly method: string;
  readonly from: Revision;
  readonly reader?: Reader;
  /** The bytes of the result or of the params. */
  readonly in: string;
}

/** What came out, for the readers and policies that it is the same for. */
export interface Came {
  /** As `2024-11-05 strict`. */
  readonly for: readonly string[];
  /** Absent where every byte crossed. */
  readonly out?: string;
  readonly refused?: string;
  readonly withheld?: readonly string[];
  readonly report?: readonly string[];
}

/** One example of the corpus, as its file holds it. */
export interface Example extends Given {
  readonly came: readonly Came[];
}

const FOLDER = new URL('../corpus/', import.meta.url);
const PARTS = ['questions/', 'requests/', 'results/', 'tools/'] as const;
const POLICIES = ['strict', 'permissive'] as const;

/** The examples by the path of their file. */
export function loadCorpus(): ReadonlyMap<string, Example> {
  const names = PARTS.flatMap((part) =>
    readdirSync(new URL(part, FOLDER)).map((name) => `${part}${name}`),
  );
  return new Map(
    names.map((name) => {
      const file = fileURLToPath(new URL(name, FOLDER));
      return [file, JSON.parse(readFileSync(file, 'utf8')) as Example];
    }),
  );
}

/** Puts an example to the rules, for every reader under both policies. */
export function translate(given: Given): Came[] {
  const groups = new Map<string, string[]>();
  for (const to of REVISIONS) {
    for (const policy of POLICIES) {
      const key = JSON.stringify(outcomeOf(given, to, policy));
      groups.set(key, [...(groups.get(key) ?? []), `${to} ${policy}`]);
    }
  }
  return [...groups].map(([key, readers]) => ({
    for: readers,
    ...(JSON.parse(key) as Omit<Came, 'for'>),
  }));
}

function outcomeOf(given: Given, to: Revision, policyName: string): Omit<Came, 'for'> {
  const parsed = parsePolicy(policyName);
  if (parsed.kind === 'unknown') throw new Error(`There is no policy ${policyName}.`);
  return run(given, to, parsed.policy);
}

function run(given: Given, to: Revision, policy: DegradePolicy): Omit<Came, 'for'> {
  const { kind, method } = given;
  const raw = Buffer.from(given.in);
  const ends = { from: profileOf(given.from), to: profileOf(to, given.reader), policy };
  switch (kind) {
    case 'result': {
      const outcome = lowerResult(method, raw, { ...ends, promisedOutput: false });
      if (outcome.kind === 'refused') return { refused: refusalText(outcome.refusal) };
      const out = outcome.kind === 'changed' ? outcome.raw : undefined;
      const withheld = outcome.withheld?.map(refusalText);
      return { ...came(out, outcome.steps), ...(withheld !== undefined && { withheld }) };
    }
    case 'request': {
      const outcome = lowerRequest(method, raw, ends.to, policy);
      if (outcome.kind === 'refused') return { refused: refusalText(outcome.refusal) };
      const out = outcome.kind === 'changed' ? outcome.raw : undefined;
      return came(out, outcome.steps);
    }
    case 'tools': {
      const aliases = new Map<string, string>();
      const outcome = lowerToolList(raw, { ...ends, upstream: 'streamableHttp', aliases });
      const withheld = outcome.withheld.map(
        ({ name = '(no name)', refusal }) => `${name}: ${refusalText(refusal)}`,
      );
      const out = outcome.kind === 'changed' ? outcome.raw : undefined;
      return { ...came(out, outcome.steps), ...(withheld.length > 0 && { withheld }) };
    }
    case 'question': {
      const question = lowerQuestion(method, raw, {
        ...ends,
        declares: (...path) => canDeclare(ends.to, path.join('/')),
        elicitationId: 'rosetta-1',
      });
      switch (question.kind) {
        case 'refused':
          return { refused: refusalText(question.refusal) };
        case 'answered':
          return came(question.result, question.steps);
        case 'ask':
          return came(question.params === raw ? undefined : question.params, question.steps);
      }
    }
  }
}

function came(out: Buffer | undefined, steps: readonly Step[]): Omit<Came, 'for'> {
  return {
    ...(out !== undefined && { out: out.toString('utf8') }),
    ...(steps.length > 0 && { report: steps.map(stepText) }),
  };
}

function stepText({ feature, path, before, after, loss }: Step): string {
  return `${loss} ${feature} ${path}: ${before} -> ${after}`;
}

function refusalText({ feature, path, hint, liftable }: Refusal): string {
  return `${liftable === true ? 'liftable ' : ''}${feature} ${path}: ${hint}`;
}
