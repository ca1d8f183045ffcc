import { ALLOWED_DOWNGRADES_SETTING, DEGRADE_POLICY_SETTING } from '../config/settings.ts';

/** Every command of the manifest under the name the code uses. */
export const COMMANDS = {
  openWorkspaceConfiguration: 'mcpRosetta.openWorkspaceConfiguration',
  openUserConfiguration: 'mcpRosetta.openUserConfiguration',
  revealEntry: 'mcpRosetta.revealEntry',
  startServer: 'mcpRosetta.startServer',
  stopServer: 'mcpRosetta.stopServer',
  restartServer: 'mcpRosetta.restartServer',
  reviewServer: 'mcpRosetta.reviewServer',
  forgetConsent: 'mcpRosetta.forgetConsent',
  signIn: 'mcpRosetta.signIn',
  cancelSignIn: 'mcpRosetta.cancelSignIn',
  signOut: 'mcpRosetta.signOut',
  recordTraffic: 'mcpRosetta.recordTraffic',
  stopRecording: 'mcpRosetta.stopRecording',
  refreshTools: 'mcpRosetta.refreshTools',
  choosePolicy: 'mcpRosetta.choosePolicy',
  allowFeature: 'mcpRosetta.allowFeature',
  bridgeServers: 'mcpRosetta.bridgeServers',
  showLog: 'mcpRosetta.showLog',
} as const;

export type CommandName = keyof typeof COMMANDS;

/** Commands that make sense only where they are offered, and that the command palette does not list. */
export const HIDDEN_COMMANDS: readonly CommandName[] = [
  'revealEntry',
  'reviewServer',
  'allowFeature',
];

/** The container in the activity bar. */
export const VIEW_CONTAINER = 'mcpRosetta';

/** The tree of servers and their tools. */
export const SERVERS_VIEW = 'mcpRosetta.servers';

/** The provider that gives the editor one definition per server. */
export const DEFINITION_PROVIDER = 'mcpRosetta.servers';

/** The settings, in the order of the manifest; all of them count only in a trusted workspace. */
export const SETTINGS = {
  degradePolicy: DEGRADE_POLICY_SETTING,
  allowedDowngrades: ALLOWED_DOWNGRADES_SETTING,
} as const;

/** What each node of the tree can be, for the menus: the manifest's `viewItem` begins so. */
export const SERVER_CONTEXTS = [
  'server.configurationError',
  'server.disabled',
  'server.restricted',
  'server.needsConsent',
  'server.stopped',
  'server.starting',
  'server.running',
  'server.signingIn',
  'server.needsSignIn',
  'server.failed',
] as const;

export type ServerContext = (typeof SERVER_CONTEXTS)[number];

/** What can stand after the state of a server, with a space before it. */
export const SERVER_MARKS = ['signedIn', 'recorded', 'unrecorded'] as const;

export type ServerMark = (typeof SERVER_MARKS)[number];

/** The name of the workspace's configuration file, below a folder. */
export const CONFIG_FOLDER = '.vscode';
export const CONFIG_FILE = 'mcp-rosetta.json';

/** How the diagnostics, the log and the dialogs name the extension. */
export const PRODUCT = 'MCP Rosetta';
