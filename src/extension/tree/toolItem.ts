import * as vscode from 'vscode';
import { getMember, stringOf } from '../../protocol/rawJson.ts';
import { visible, visibleLines } from '../../base/visibleText.ts';
import {
  describeHint,
  HINT_NAMES,
  readHints,
  type HintName,
  type ToolHints,
} from '../../tools/hints.ts';
import type { ManagedServer } from '../servers/managedServer.ts';
import type { ToolEntry } from '../servers/toolListView.ts';
import type { DetailNode } from './node.ts';

/** More of a stranger's text is no help in a tooltip. */
const LONGEST_DESCRIPTION = 1000;

/** Hints that mean nothing of a tool that changes nothing (ToolAnnotations). */
const OF_WRITERS: ReadonlySet<HintName> = new Set(['destructiveHint', 'idempotentHint']);

/** The row of a tool. */
export function toolItem(server: ManagedServer, tool: ToolEntry, index: number): vscode.TreeItem {
  const hints = readHints(tool.raw);
  const label = visible(hints.label) || '(no name)';
  const item = new vscode.TreeItem(label, vscode.TreeItemCollapsibleState.Collapsed);
  item.id = `tool ${server.name} ${index} ${tool.name}`;
  item.contextValue = 'tool';
  item.description = describe(tool, hints);
  item.iconPath = iconOf(tool, hints);
  item.tooltip = tooltipOf(tool, hints);
  item.accessibilityInformation = { label: `${label}, ${item.description}` };
  return item;
}

/** The rows below a tool: what keeps it from the editor or changes it, its names and its five annotations. */
export function toolDetails(server: ManagedServer, tool: ToolEntry, index: number): DetailNode[] {
  const hints = readHints(tool.raw);
  const id = (part: string): string => `detail ${server.name} ${index} ${part}`;
  const details: DetailNode[] = [];
  if (tool.withheld !== undefined) {
    const reason = visible(tool.withheld.hint);
    const label = `withheld: ${tool.withheld.feature}`;
    const icon = 'warning';
    details.push({
      kind: 'detail',
      id: id('withheld'),
      label,
      description: reason,
      icon,
      tooltip: reason,
    });
  }
  if (hints.contradictory) {
    const label = 'contradicts itself: read-only and destructive';
    details.push({ kind: 'detail', id: id('contradictory'), label, icon: 'warning' });
  }
  if (tool.alias !== undefined) {
    const label = `known to the editor as ${visible(tool.alias)}`;
    details.push({ kind: 'detail', id: id('alias'), label, icon: 'text' });
  }
  details.push(titleDetail(tool, hints, id('title')));
  for (const name of HINT_NAMES) {
    const hint = hints[name];
    const label = describeHint(name, hint);
    const isIdle = hints.readOnlyHint.value && hint.source === 'default' && OF_WRITERS.has(name);
    details.push({
      kind: 'detail',
      id: id(name),
      label,
      icon: hint.source,
      tooltip: `${name}: ${label}`,
      ...(isIdle && { description: 'no matter: it only reads' }),
    });
  }
  return details;
}

function titleDetail(tool: ToolEntry, hints: ToolHints, id: string): DetailNode {
  const own = stringOf(getMember(tool.raw, 'title'));
  const label =
    hints.title === undefined
      ? 'no title among the hints'
      : `title "${visible(hints.title)}" (declared)`;
  const isOverruled = hints.title !== undefined && own !== undefined && own !== hints.title;
  const description = isOverruled ? `the tool's own title is shown: "${visible(own)}"` : undefined;
  const icon = hints.title === undefined ? 'default' : 'declared';
  return {
    kind: 'detail',
    id,
    label,
    icon,
    tooltip: 'title',
    ...(description !== undefined && { description }),
  };
}

/** The hints that decide how careful one has to be, in short. */
function describe(tool: ToolEntry, hints: ToolHints): string {
  const name = hints.label === tool.name ? [] : [visible(tool.name)];
  const alias = tool.alias === undefined ? [] : [`as ${visible(tool.alias)}`];
  const withheld = tool.withheld === undefined ? [] : ['withheld'];
  return [...withheld, leadingHint(hints), ...name, ...alias].join(' · ');
}

function leadingHint({ readOnlyHint, destructiveHint }: ToolHints): string {
  if (readOnlyHint.value) return 'read-only';
  const word = destructiveHint.value ? 'destructive' : 'not destructive';
  return destructiveHint.source === 'default' ? `${word} (default)` : word;
}

function iconOf(tool: ToolEntry, hints: ToolHints): vscode.ThemeIcon {
  if (tool.withheld !== undefined || hints.contradictory) {
    return new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground'));
  }
  if (hints.readOnlyHint.value) return new vscode.ThemeIcon('eye');
  if (hints.destructiveHint.source === 'default') return new vscode.ThemeIcon('tools');
  return new vscode.ThemeIcon(hints.destructiveHint.value ? 'flame' : 'edit');
}

function tooltipOf(tool: ToolEntry, hints: ToolHints): string {
  const description = visibleLines(stringOf(getMember(tool.raw, 'description')) ?? '');
  const shown =
    description.length > LONGEST_DESCRIPTION
      ? `${description.slice(0, LONGEST_DESCRIPTION)}…`
      : description;
  const lines = [
    `${visible(tool.name)}${tool.alias === undefined ? '' : ` (known to the editor as ${visible(tool.alias)})`}`,
    ...(shown === '' ? [] : [shown]),
    '',
    ...HINT_NAMES.map((name) => describeHint(name, hints[name])),
  ];
  if (tool.withheld !== undefined) lines.push('', `Withheld: ${visible(tool.withheld.hint)}`);
  return lines.join('\n');
}
