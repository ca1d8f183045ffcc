import type { BridgeEvent, Subject } from '../../bridge/events.ts';
import { Method } from '../../protocol/methods.ts';
import type { Loss, Refusal, Step } from '../../translate/report.ts';
import { assertNever } from '../../base/assertNever.ts';
import { visible } from '../../base/visibleText.ts';
import type { ServerStatus } from '../servers/serverStatus.ts';
import type { ToolEntry, ToolListLegs } from '../servers/toolListView.ts';
import type { Finding, FindingSeverity } from './finding.ts';

/** What keeps a server from being used, where something does that is not said elsewhere. */
export function describeTrouble(status: ServerStatus): Finding[] {
  switch (status.kind) {
    case 'failed':
      return [{ severity: 'error', code: 'server', message: visible(status.message), count: 1 }];
    case 'needsSignIn':
      return [{ severity: 'warning', code: 'sign-in', message: visible(status.message), count: 1 }];
    case 'restricted':
    case 'disabled':
    case 'needsConsent':
    case 'stopped':
    case 'starting':
    case 'signingIn':
    case 'running':
      return [];
  }
}

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

/** One kind of change in the definitions of tools: the first step of each of them says what it is. */
interface Change {
  readonly step: Step;
  readonly severity: FindingSeverity;
  readonly names: readonly string[];
  readonly count: number;
}

/** More names than this say no more of what is the same for all. */
const NAMED = 3;

/**
 * All that the policy makes of the tools' definitions. Of one tool there is one finding for each feature and severity;
 * tools that have the same in common share it, since one server writes all its schemas alike.
 */
export function describeTools(tools: readonly ToolEntry[], legs: ToolListLegs): Finding[] {
  const arrow = `${legs.upstream} → ${legs.downstream}`;
  const refused: Finding[] = [];
  const shared = new Map<string, Change>();
  for (const tool of tools) {
    const name = `"${visible(tool.name)}"`;
    if (tool.withheld !== undefined) refused.push(withheld(tool, tool.withheld, name, arrow));
    else for (const change of changesOf(tool, name)) addChange(shared, change);
  }
  const changed = [...shared.values()].map(({ step, severity, names, count }): Finding => {
    const message = `${joinNames(names)} shown with a change: ${changeOf(step)}. (${arrow})`;
    return { severity, code: step.feature, message, count };
  });
  return [...refused, ...changed];
}

function changesOf(tool: ToolEntry, name: string): Iterable<Change> {
  const changes = new Map<string, Change>();
  for (const step of tool.steps) {
    const severity = severityOf(step.loss);
    const key = `${severity} ${step.feature}`;
    const known = changes.get(key);
    const first = { step, severity, names: [name], count: 1 };
    changes.set(key, known === undefined ? first : { ...known, count: known.count + 1 });
  }
  return changes.values();
}

function addChange(shared: Map<string, Change>, change: Change): void {
  const { step, severity } = change;
  const key = JSON.stringify([severity, step.feature, changeOf(step)]);
  const known = shared.get(key);
  const joined = known && {
    ...known,
    names: [...known.names, ...change.names],
    count: known.count + change.count,
  };
  shared.set(key, joined ?? change);
}

function joinNames(names: readonly string[]): string {
  // Where only one would be left out, its name is as short as saying so.
  const named = names.length <= NAMED + 1 ? names : names.slice(0, NAMED);
  const others = names.length - named.length;
  if (others > 0) return `${named.join(', ')} and ${others} other tools`;
  const last = named.at(-1) ?? '';
  return named.length < 2 ? last : `${named.slice(0, -1).join(', ')} and ${last}`;
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
