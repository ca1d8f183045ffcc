import type { BridgeEvent, Subject } from '../../bridge/events.ts';
import { Method } from '../../protocol/methods.ts';
import type { Loss, Refusal, Step } from '../../translate/report.ts';
import { assertNever } from '../../base/assertNever.ts';
import { visible } from '../../base/visibleText.ts';
import type { ToolEntry, ToolListLegs } from '../servers/toolListView.ts';
import type { Finding, FindingSeverity } from './finding.ts';

/** A refusal of one message. */
export function describeRefusal(event: Extract<BridgeEvent, { kind: 'refusal' }>): Finding {
  const { refusal } = event;
  return {
    severity: 'error',
    code: refusal.feature,
    message: `${subjectOf(event)} refused: ${visible(refusal.hint)} (${direction(event)})`,
    count: 1,
    remedy: refusal.liftable === true ? refusal.feature : undefined,
  };
}

/** One change of a message. */
export function describeStep(subject: Subject, step: Step): Finding {
  return {
    severity: severityOf(step.loss),
    code: step.feature,
    message: `${subjectOf(subject)} changed: ${changeOf(step)}. (${direction(subject)})`,
    count: 1,
    lossOf: step.loss === 'lossy' ? step.feature : undefined,
  };
}

/** All that the policy makes of one tool's definition: one finding for each feature and severity. */
export function describeTool(tool: ToolEntry, legs: ToolListLegs): Finding[] {
  const arrow = `${legs.upstream} → ${legs.downstream}`;
  const name = `"${visible(tool.name)}"`;
  if (tool.withheld !== undefined) return [withheld(tool, tool.withheld, name, arrow)];
  const findings = new Map<string, Finding>();
  for (const step of tool.steps) {
    const severity = severityOf(step.loss);
    const key = `${severity} ${step.feature}`;
    const known = findings.get(key);
    const message = `${name} shown with a change: ${changeOf(step)}. (${arrow})`;
    findings.set(
      key,
      known === undefined
        ? { severity, code: step.feature, message, count: 1 }
        : { ...known, count: known.count + 1 },
    );
  }
  return [...findings.values()];
}

function withheld(tool: ToolEntry, refusal: Refusal, name: string, arrow: string): Finding {
  return {
    severity: 'error',
    code: refusal.feature,
    message: `${name} withheld from the editor: ${visible(refusal.hint)} (${arrow})`,
    count: 1,
    remedy: tool.canBeAllowed ? refusal.feature : undefined,
  };
}

function severityOf(loss: Loss): FindingSeverity {
  switch (loss) {
    case 'none':
      return 'information';
    case 'lossy':
    case 'warning':
      return 'warning';
    default:
      return assertNever(loss);
  }
}

function changeOf({ path, before, after }: Step): string {
  const where = path === '' ? '' : `${visible(path)}: `;
  return `${where}${visible(before)} → ${visible(after)}`;
}

function direction({ from, to }: Subject): string {
  return from === to ? from : `${from} → ${to}`;
}

function subjectOf({ method, tool }: Subject): string {
  if (tool === undefined) return `${visible(method)}:`;
  return method === Method.toolsCall ? `"${visible(tool)}" result` : `"${visible(tool)}"`;
}
