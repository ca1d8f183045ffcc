import type { Concern } from '../protocol/concern.ts';
import { removeMember } from '../protocol/rawEdit.ts';
import { getMember, isNull, membersOf, type JsonPath, type RawJson } from '../protocol/rawJson.ts';
import { allows, type DegradePolicy } from './policy.ts';
import { pointer, type Loss, type Outcome, type Refusal, type Step } from './report.ts';

/**
 * One message being rewritten: the rules read `raw`, set it anew, and note each step. The first step that the policy
 * forbids refuses the message; nothing of it is then used.
 */
export class Edition {
  raw: RawJson;
  refusal: Refusal | undefined;
  readonly #original: RawJson;
  readonly #policy: DegradePolicy;
  readonly #steps: Step[] = [];
  readonly #withheld: Refusal[] = [];

  /** For an error of the peer's, whose words must arrive, pass `PERMISSIVE` whatever the user's policy is. */
  constructor(raw: RawJson, policy: DegradePolicy) {
    this.raw = raw;
    this.#original = raw;
    this.#policy = policy;
  }

  /** Notes a change that loses nothing, or that no policy forbids. */
  note(feature: Concern, path: JsonPath, before: string, after: string, loss: Loss = 'none'): void {
    this.#steps.push({ feature, path: pointer(path), before, after, loss });
  }

  /** Refuses what no policy could let pass. */
  refuse(feature: Concern, path: JsonPath, hint: string): void {
    this.refusal ??= { feature, path: pointer(path), hint };
  }

  /** Asks leave for a lossy change; on false the message is refused and the rule must not make it. */
  mayLose(feature: Concern, path: JsonPath, before: string, after: string, hint: string): boolean {
    if (!allows(this.#policy, feature)) {
      this.refusal ??= { feature, path: pointer(path), hint, liftable: true };
      return false;
    }
    this.note(feature, path, before, after, 'lossy');
    return true;
  }

  /** Takes over what became of the part at `path`, which was edited on its own. */
  adopt(part: Edition, path: JsonPath): void {
    const at = pointer(path);
    for (const step of part.#steps) this.#steps.push({ ...step, path: at + step.path });
    if (part.refusal === undefined) return;
    this.refusal ??= { ...part.refusal, path: at + part.refusal.path };
  }

  /**
   * Edits one entry of a list apart from the others: what would refuse a message withholds the entry alone. Undefined
   * where it does.
   */
  editEntry(entry: RawJson, path: JsonPath, edit: (own: Edition) => void): RawJson | undefined {
    const own = new Edition(entry, this.#policy);
    edit(own);
    if (own.refusal !== undefined) {
      this.#withheld.push({ ...own.refusal, path: pointer(path) + own.refusal.path });
      return undefined;
    }
    this.adopt(own, path);
    return own.raw;
  }

  outcome(): Outcome {
    const steps = this.#steps;
    if (this.refusal !== undefined) return { kind: 'refused', refusal: this.refusal, steps };
    const withheld = this.#withheld.length > 0 && { withheld: this.#withheld };
    if (this.raw === this.#original) return { kind: 'unchanged', steps, ...withheld };
    return { kind: 'changed', raw: this.raw, steps, ...withheld };
  }
}

/**
 * Removes members that are null where the schema knows no null: such a null means absent, and many readers drop the
 * whole message over it.
 */
export function withoutNulls(
  raw: RawJson,
  optional: ReadonlySet<string>,
  onRemoved: (key: string) => void,
): RawJson {
  let result = raw;
  for (const { key, value } of membersOf(raw)) {
    // Of duplicates the last one counts.
    if (!isNull(value) || !optional.has(key) || !isNull(getMember(result, key))) continue;
    result = removeMember(result, key);
    onRemoved(key);
  }
  return result;
}
