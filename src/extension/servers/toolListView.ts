import type { Bridge } from '../../bridge/bridge.ts';
import { arrayOf, setMember } from '../../protocol/rawEdit.ts';
import { profileOf } from '../../protocol/profile.ts';
import { getMember, stringOf, toRaw, type RawJson } from '../../protocol/rawJson.ts';
import type { Revision } from '../../protocol/revision.ts';
import { PERMISSIVE, type DegradePolicy } from '../../translate/policy.ts';
import type { Refusal, Step } from '../../translate/report.ts';
import { lowerToolList } from '../../translate/toolList/lowerToolList.ts';

/** One tool as its server wrote it, and what it takes to show it to the editor. */
export interface ToolEntry {
  readonly name: string;
  readonly raw: RawJson;
  /** The name the editor knows it by, where that is another one. */
  readonly alias: string | undefined;
  readonly steps: readonly Step[];
  /** Why the editor is not shown the tool. */
  readonly withheld: Refusal | undefined;
  /** Whether a more permissive policy would show it. */
  readonly canBeAllowed: boolean;
}

/** Between whom the list passes. */
export interface ToolListLegs {
  readonly upstream: Revision;
  readonly downstream: Revision;
  readonly reader: Bridge['reader'];
  readonly transport: Bridge['transport'];
}

/**
 * What the policy makes of a tool list. It is worked out here and not gathered from the reports of sessions, so that it
 * is true at any moment: after a change of policy too, before any client has asked again.
 */
export function viewToolList(
  tools: readonly RawJson[],
  legs: ToolListLegs,
  policy: DegradePolicy,
): readonly ToolEntry[] {
  const result = setMember(toRaw({}), 'tools', arrayOf(tools));
  const lower = (chosen: DegradePolicy) =>
    lowerToolList(result, {
      from: profileOf(legs.upstream),
      to: profileOf(legs.downstream, legs.reader),
      policy: chosen,
      upstream: legs.transport,
      aliases: new Map(),
    });
  const outcome = lower(policy);
  const lost = new Set(lower(PERMISSIVE).withheld.map(({ index }) => index));
  return tools.map((raw, index) => {
    const name = stringOf(getMember(raw, 'name')) ?? '';
    const withheld = outcome.withheld.find((each) => each.index === index)?.refusal;
    const shownAs = outcome.tools.find((facts) => facts.name === name)?.alias;
    return {
      name,
      raw,
      alias: shownAs === name ? undefined : shownAs,
      // Of two tools with one name the second is withheld: the steps are the first one's.
      steps: withheld === undefined ? outcome.steps.filter(({ tool }) => tool === name) : [],
      withheld,
      canBeAllowed: withheld !== undefined && !lost.has(index),
    };
  });
}
