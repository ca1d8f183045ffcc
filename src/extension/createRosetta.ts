import { join } from 'node:path';
import * as vscode from 'vscode';
import { visible } from '../base/visibleText.ts';
import { isConcern } from '../protocol/concern.ts';
import { BridgeServerAction, EDITOR_FILE_PATTERN } from './bridgeServer/bridgeServerAction.ts';
import { bridgeServers } from './bridgeServer/bridgeServers.ts';
import { ConfigStore } from './config/configStore.ts';
import { configuredServers } from './config/configuredServers.ts';
import {
  openUserConfiguration,
  openWorkspaceConfiguration,
  revealInConfiguration,
} from './config/openConfiguration.ts';
import { askConsent } from './consent/askConsent.ts';
import { ConsentStore } from './consent/consentStore.ts';
import { InputAnswers } from './consent/inputAnswers.ts';
import { NewServersNotice } from './consent/newServersNotice.ts';
import {
  COMMANDS,
  CONFIG_FILE,
  DEFINITION_PROVIDER,
  PRODUCT,
  type CommandName,
} from './contributions.ts';
import { AllowFeatureAction } from './diagnostics/allowFeatureAction.ts';
import { DiagnosticsPublisher } from './diagnostics/diagnosticsPublisher.ts';
import { choosePolicy } from './policy/choosePolicy.ts';
import { showPolicy } from './policy/policyStatusBar.ts';
import { allowFeature, onDidChangePolicy, readPolicy } from './policy/policySetting.ts';
import { DefinitionProvider } from './provider/definitionProvider.ts';
import { EditorServers } from './provider/editorServers.ts';
import { Listener } from './provider/listener.ts';
import { RecordingCommands } from './recording/recordingCommands.ts';
import { showRecordings } from './recording/recordingStatusBar.ts';
import { resolveEntry } from './resolveEntry.ts';
import { ServerCommands } from './serverCommands.ts';
import { eraMemory } from './servers/eraStore.ts';
import { ServerRegistry } from './servers/serverRegistry.ts';
import { editorPerson } from './signIn/editorPerson.ts';
import { createSecretGrants } from './signIn/secretGrants.ts';
import { SignInCommands } from './signIn/signInCommands.ts';
import { SignInNotice } from './signIn/signInNotice.ts';
import type { Node } from './tree/node.ts';
import { showServerTree } from './tree/serverTree.ts';

/** Puts the extension together; what it answers ends every server and the listener. */
export function createRosetta(context: vscode.ExtensionContext): () => Promise<void> {
  const { workspaceState, globalState, secrets, globalStorageUri, extension } = context;
  const { version } = extension.packageJSON as { readonly version: string };
  const log = vscode.window.createOutputChannel(PRODUCT, { log: true });
  const consents = new ConsentStore(workspaceState, globalState);
  const answers = new InputAnswers(secrets);
  const store = new ConfigStore(globalStorageUri);
  const registry = new ServerRegistry({
    isTrusted: () => vscode.workspace.isTrusted,
    hasConsent: (entry) => consents.has(entry),
    askConsent: async (entry) => {
      const isAgreed = await askConsent(entry);
      if (isAgreed) await consents.agree(entry);
      return isAgreed;
    },
    resolve: (entry, onAnswer) => resolveEntry(entry, answers, onAnswer),
    eraMemory: (entry) => eraMemory(globalState, entry.hash),
    policy: () => readPolicy().policy,
    signIn: {
      store: createSecretGrants(secrets, join(globalStorageUri.fsPath, 'sign-ins')),
      person: editorPerson,
      version,
    },
    log,
    showError: (message) => {
      void vscode.window.showErrorMessage(`${PRODUCT}: ${visible(message)}`);
    },
    version,
  });
  const configure = (): void => {
    const firstFolder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
    registry.configure(configuredServers(store.files, firstFolder));
  };
  const configuring = store.onDidChange(configure);
  const listener = new Listener(registry, (message) => log.warn(visible(message)));
  const provider = new DefinitionProvider(registry, listener, version, store.start());
  const servers = new ServerCommands(registry, new EditorServers(extension.id), consents, answers);
  const signIns = new SignInCommands(registry, servers);
  const recordings = new RecordingCommands(registry);
  const handlers: Record<CommandName, (argument: unknown, more: unknown) => unknown> = {
    openWorkspaceConfiguration: () => openWorkspaceConfiguration(globalStorageUri),
    openUserConfiguration: () => openUserConfiguration(globalStorageUri),
    revealEntry: (row) => revealEntry(row as Node, store),
    startServer: (row) => servers.start(row),
    stopServer: (row) => servers.stop(row),
    restartServer: (row) => servers.restart(row),
    reviewServer: (row) => servers.start(row),
    forgetConsent: (row) => servers.forget(row),
    signIn: (row) => signIns.signIn(row),
    cancelSignIn: (row) => signIns.cancel(row),
    signOut: (row) => signIns.signOut(row),
    recordTraffic: (row) => recordings.start(row),
    stopRecording: (row) => recordings.stop(row),
    refreshTools: () => servers.refresh(),
    choosePolicy,
    allowFeature: async (concern) => {
      if (typeof concern === 'string' && isConcern(concern)) await allowFeature(concern);
    },
    bridgeServers: (uri, names) => bridgeServers(uri, names),
    showLog: () => log.show(),
  };
  const ids = Object.entries(COMMANDS) as [CommandName, string][];
  const selector = [{ language: 'json' }, { language: 'jsonc' }].map((filter) => ({
    ...filter,
    pattern: `**/${CONFIG_FILE}`,
  }));
  context.subscriptions.push(
    log,
    store,
    configuring,
    provider,
    vscode.lm.registerMcpServerDefinitionProvider(DEFINITION_PROVIDER, provider),
    new DiagnosticsPublisher(store, registry),
    vscode.languages.registerCodeActionsProvider(selector, new AllowFeatureAction(registry), {
      providedCodeActionKinds: AllowFeatureAction.kinds,
    }),
    vscode.languages.registerCodeActionsProvider(
      { scheme: 'file', pattern: EDITOR_FILE_PATTERN },
      new BridgeServerAction(),
      { providedCodeActionKinds: BridgeServerAction.kinds },
    ),
    showPolicy(registry),
    showRecordings(registry),
    new NewServersNotice(registry, (waiting) => servers.review(waiting)),
    new SignInNotice(registry, (server) => signIns.signInTo(server)),
    secrets.onDidChange(({ key }) => void signIns.onStored(key)),
    showServerTree(registry),
    onDidChangePolicy(() => registry.policyChanged()),
    vscode.workspace.onDidGrantWorkspaceTrust(() => registry.changed()),
    ...ids.map(([name, id]) => vscode.commands.registerCommand(id, handlers[name])),
  );
  return async () => {
    await Promise.all([registry.close(), listener.close()]);
  };
}

async function revealEntry(node: Node, { files }: ConfigStore): Promise<void> {
  if (node.kind !== 'server' && node.kind !== 'faulty') return;
  const place =
    node.kind === 'faulty'
      ? node.faulty
      : { source: node.server.configured.source, range: node.server.configured.nameRange };
  const file = files.find(({ source }) => source.uri.toString() === place.source.uri.toString());
  if (file !== undefined) await revealInConfiguration(place.source, file.text, place.range);
}
