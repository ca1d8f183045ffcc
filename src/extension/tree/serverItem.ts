import * as vscode from 'vscode';
import { commandLine } from '../../config/consent.ts';
import { eraOf, type Revision } from '../../protocol/revision.ts';
import { visible } from '../../base/visibleText.ts';
import type { FaultyEntry } from '../config/configuredServers.ts';
import { COMMANDS, type ServerContext, type ServerMark } from '../contributions.ts';
import type { ManagedServer } from '../servers/managedServer.ts';
import type { ServerStatus } from '../servers/serverStatus.ts';
import type { Node } from './node.ts';

const EXPANDED = vscode.TreeItemCollapsibleState.Expanded;
const NONE = vscode.TreeItemCollapsibleState.None;

/** The row of a server. */
export function serverItem(server: ManagedServer): vscode.TreeItem {
  const { status, configured } = server;
  const isOpen = status.kind === 'running' || server.tools !== undefined;
  const item = new vscode.TreeItem(visible(server.name), isOpen ? EXPANDED : NONE);
  // Another id where it opens or closes: the editor keeps how a row with the same id was.
  item.id = `server ${isOpen ? 'open' : 'closed'} ${server.name}`;
  const isRecording = server.recorder.recorded !== undefined;
  item.description = `${isRecording ? '● recording · ' : ''}${describe(server, status)}`;
  item.iconPath = iconOf(status);
  item.contextValue = contextOf(server);
  const { recorded } = server.recorder;
  const lines = [statusLine(status), ...legLines(server)];
  if (server.signIn?.authorizer.isSignedIn === true) lines.push('You are signed in.');
  if (recorded !== undefined) lines.push(`Recording to ${visible(recorded.path)}`);
  lines.push('', commandLine(configured.entry));
  lines.push(`From ${configured.source.label}`);
  item.tooltip = lines.join('\n');
  const spoken = `${visible(server.name)}, ${String(item.description)}`;
  item.accessibilityInformation = { label: spoken };
  if (status.kind === 'needsConsent') {
    item.command = {
      command: COMMANDS.reviewServer,
      title: 'Review',
      arguments: [{ kind: 'server', server } satisfies Node],
    };
  }
  return item;
}

/** The row of a server whose entry is wrong. */
export function faultyItem(faulty: FaultyEntry): vscode.TreeItem {
  const item = new vscode.TreeItem(visible(faulty.name) || '""', NONE);
  item.id = `faulty ${faulty.name}`;
  item.description = 'configuration error';
  item.iconPath = new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
  item.contextValue = 'server.configurationError' satisfies ServerContext;
  item.tooltip = `${visible(faulty.message)}\nFrom ${faulty.source.label}`;
  item.command = {
    command: COMMANDS.revealEntry,
    title: 'Open Configuration',
    arguments: [{ kind: 'faulty', faulty } satisfies Node],
  };
  return item;
}

/** The two legs, each with its revision and era. */
function legLines(server: ManagedServer): readonly string[] {
  const { status, sessions } = server;
  if (status.kind !== 'running') return [];
  const clients = sessions.map(({ name, revision }) => `${visible(name)}, ${leg(revision)}`);
  return [
    `Editor: ${clients.length === 0 ? 'not connected' : [...new Set(clients)].join('; ')}`,
    `Server: ${leg(status.revision)}`,
    `Era told by: ${visible(status.evidence)}`,
  ];
}

/** A revision with its era. */
export function leg(revision: Revision): string {
  return `${revision} (${eraOf(revision)} era)`;
}

function describe(server: ManagedServer, status: ServerStatus): string {
  switch (status.kind) {
    case 'restricted':
      return 'not started: Restricted Mode';
    case 'disabled':
      return 'disabled';
    case 'needsConsent':
      return status.declined ? 'not allowed to run' : 'needs your consent';
    case 'stopped':
      return 'stopped';
    case 'starting':
      return status.lastLine === undefined ? 'starting…' : `starting… ${status.lastLine}`;
    case 'signingIn':
      return 'signing in…';
    case 'needsSignIn':
      return 'needs sign-in';
    case 'failed':
      return `failed: ${visible(status.message)}`;
    case 'running': {
      const revisions = [...new Set(server.sessions.map(({ revision }) => revision))].sort();
      const legs = revisions.length === 0 ? '' : `${revisions.join(', ')} ⇄ `;
      const count = server.tools?.length;
      const tools = count === undefined ? '' : ` · ${count} ${count === 1 ? 'tool' : 'tools'}`;
      return `${legs}${status.revision}${tools}`;
    }
  }
}

function statusLine(status: ServerStatus): string {
  switch (status.kind) {
    case 'restricted':
      return 'Nothing runs in Restricted Mode.';
    case 'disabled':
      return 'Disabled in the configuration.';
    case 'needsConsent':
      return 'Does not run before you have agreed to it.';
    case 'stopped':
      return 'Stopped. The editor starts it when it needs it.';
    case 'starting':
      return status.lastLine === undefined ? 'Starting.' : `Starting: ${status.lastLine}`;
    case 'signingIn':
      return 'Waiting for you to sign in in the browser.';
    case 'needsSignIn':
      return visible(status.message);
    case 'failed':
      return `Failed: ${visible(status.message)}`;
    case 'running':
      return 'Running.';
  }
}

function iconOf({ kind }: ServerStatus): vscode.ThemeIcon {
  switch (kind) {
    case 'restricted':
      return new vscode.ThemeIcon('shield');
    case 'disabled':
      return new vscode.ThemeIcon('circle-slash');
    case 'needsConsent':
      return new vscode.ThemeIcon('question', new vscode.ThemeColor('list.warningForeground'));
    case 'stopped':
      return new vscode.ThemeIcon('circle-outline');
    case 'starting':
    case 'signingIn':
      return new vscode.ThemeIcon('loading~spin');
    case 'needsSignIn':
      return new vscode.ThemeIcon('key', new vscode.ThemeColor('list.warningForeground'));
    case 'failed':
      return new vscode.ThemeIcon('error', new vscode.ThemeColor('list.errorForeground'));
    case 'running':
      return new vscode.ThemeIcon('pass-filled', new vscode.ThemeColor('testing.iconPassed'));
  }
}

/** What the menus ask for: the state, and after it what else can be done about the server. */
function contextOf({ status, signIn, recorder }: ManagedServer): string {
  const state: ServerContext = `server.${status.kind}`;
  const marks: ServerMark[] = [];
  if (signIn?.authorizer.isSignedIn === true) marks.push('signedIn');
  marks.push(recorder.recorded === undefined ? 'unrecorded' : 'recorded');
  return [state, ...marks].join(' ');
}
