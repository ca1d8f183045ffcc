import type { FaultyEntry } from '../config/configuredServers.ts';
import type { ManagedServer } from '../servers/managedServer.ts';
import type { ToolEntry } from '../servers/toolListView.ts';

/** What a row of the tree stands for. */
export type Node =
  | { readonly kind: 'server'; readonly server: ManagedServer }
  | { readonly kind: 'faulty'; readonly faulty: FaultyEntry }
  | {
      readonly kind: 'tool';
      readonly server: ManagedServer;
      readonly tool: ToolEntry;
      readonly index: number;
    }
  | DetailNode;

/** A row that only says something. */
export interface DetailNode {
  readonly kind: 'detail';
  readonly id: string;
  readonly label: string;
  readonly description?: string;
  readonly icon: DetailIcon;
  readonly tooltip?: string;
}

export type DetailIcon =
  'editor' | 'server' | 'declared' | 'default' | 'override' | 'warning' | 'text';

/** The server a row belongs to, for the commands of its menu. */
export function serverOf(node: unknown): ManagedServer | undefined {
  const { server } = (node ?? {}) as { readonly server?: ManagedServer };
  return server;
}
