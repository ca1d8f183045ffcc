import * as vscode from 'vscode';
import { assertNever } from '../../base/assertNever.ts';
import { visible } from '../../base/visibleText.ts';
import { SERVERS_VIEW } from '../contributions.ts';
import type { ManagedServer } from '../servers/managedServer.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import type { ServerStatus } from '../servers/serverStatus.ts';
import type { DetailIcon, DetailNode, Node } from './node.ts';
import { faultyItem, leg, serverItem } from './serverItem.ts';
import { toolDetails, toolItem } from './toolItem.ts';

const ICONS: Readonly<Record<DetailIcon, vscode.ThemeIcon>> = {
  editor: new vscode.ThemeIcon('window'),
  server: new vscode.ThemeIcon('server-process'),
  declared: new vscode.ThemeIcon('circle-filled'),
  default: new vscode.ThemeIcon('circle-outline'),
  override: new vscode.ThemeIcon('person'),
  warning: new vscode.ThemeIcon('warning', new vscode.ThemeColor('list.warningForeground')),
  text: new vscode.ThemeIcon('symbol-string'),
};

/** Shows the tree, with the number of servers that wait for the user on its icon. */
export function showServerTree(registry: ServerRegistry): vscode.Disposable {
  const tree = new ServerTree(registry);
  const view = vscode.window.createTreeView(SERVERS_VIEW, {
    treeDataProvider: tree,
    showCollapseAll: true,
  });
  const unsubscribe = registry.onDidChange(() => {
    const inState = (kind: ServerStatus['kind'], need: string): readonly [number, string] => {
      const count = registry.servers.filter(({ status }) => status.kind === kind).length;
      return [count, `${count} ${count === 1 ? 'server needs' : 'servers need'} ${need}`];
    };
    const waiting = [
      inState('needsConsent', 'your consent'),
      inState('needsSignIn', 'you to sign in'),
    ].filter(([count]) => count > 0);
    const value = waiting.reduce((sum, [count]) => sum + count, 0);
    const tooltip = waiting.map(([, words]) => words).join('\n');
    view.badge = value === 0 ? undefined : { value, tooltip };
  });
  return vscode.Disposable.from(tree, view, new vscode.Disposable(unsubscribe));
}

/** Servers, the two legs and the tools of each, and the hints of each tool; plain text all of it. */
class ServerTree implements vscode.TreeDataProvider<Node>, vscode.Disposable {
  readonly #registry: ServerRegistry;
  readonly #changed = new vscode.EventEmitter<undefined>();
  readonly #unsubscribe: () => void;

  readonly onDidChangeTreeData = this.#changed.event;

  constructor(registry: ServerRegistry) {
    this.#registry = registry;
    this.#unsubscribe = registry.onDidChange(() => this.#changed.fire(undefined));
  }

  getTreeItem(node: Node): vscode.TreeItem {
    switch (node.kind) {
      case 'server':
        return serverItem(node.server);
      case 'faulty':
        return faultyItem(node.faulty);
      case 'tool':
        return toolItem(node.server, node.tool, node.index);
      case 'detail':
        return detailItem(node);
      default:
        return assertNever(node);
    }
  }

  getChildren(node?: Node): Node[] {
    switch (node?.kind) {
      case undefined:
        return [
          ...this.#registry.servers.map((server): Node => ({ kind: 'server', server })),
          ...this.#registry.configured.faulty.map((faulty): Node => ({ kind: 'faulty', faulty })),
        ];
      case 'server': {
        const { server } = node;
        const tools = (server.tools ?? []).map((tool, index): Node => ({
          kind: 'tool',
          server,
          tool,
          index,
        }));
        return [...legDetails(server), ...tools];
      }
      case 'tool':
        return toolDetails(node.server, node.tool, node.index);
      case 'faulty':
      case 'detail':
        return [];
    }
  }

  dispose(): void {
    this.#unsubscribe();
    this.#changed.dispose();
  }
}

function legDetails(server: ManagedServer): DetailNode[] {
  const { status, sessions } = server;
  if (status.kind !== 'running') return [];
  const clients = new Map(sessions.map((client) => [`${client.name} ${client.revision}`, client]));
  const editors = [...clients.values()].map(({ name, revision }): DetailNode => ({
    kind: 'detail',
    id: `editor ${server.name} ${name} ${revision}`,
    label: 'Editor',
    description: `${leg(revision)} · ${visible(name)}`,
    icon: 'editor',
  }));
  const upstream: DetailNode = {
    kind: 'detail',
    id: `leg ${server.name}`,
    label: 'Server',
    description: leg(status.revision),
    tooltip: `Era told by: ${visible(status.evidence)}`,
    icon: 'server',
  };
  return [...editors, upstream];
}

function detailItem({ id, label, description, icon, tooltip }: DetailNode): vscode.TreeItem {
  const item = new vscode.TreeItem(label);
  item.id = id;
  item.iconPath = ICONS[icon];
  item.tooltip = tooltip ?? label;
  if (description !== undefined) item.description = description;
  return item;
}
