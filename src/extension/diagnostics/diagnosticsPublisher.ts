import * as vscode from 'vscode';
import { locate } from '../../config/locate.ts';
import { visible } from '../../base/visibleText.ts';
import type { ConfigStore } from '../config/configStore.ts';
import type { LoadedConfig } from '../config/readConfig.ts';
import { toRange } from '../config/textRange.ts';
import { PRODUCT } from '../contributions.ts';
import type { ManagedServer } from '../servers/managedServer.ts';
import type { ServerRegistry } from '../servers/serverRegistry.ts';
import type { Finding, FindingSeverity } from './finding.ts';

const SEVERITIES: Readonly<Record<FindingSeverity, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  information: vscode.DiagnosticSeverity.Information,
};

/** Keeps the problems of the configuration files true: what is wrong in them, and what their servers came to. */
export class DiagnosticsPublisher implements vscode.Disposable {
  readonly #collection = vscode.languages.createDiagnosticCollection(PRODUCT);
  readonly #store: ConfigStore;
  readonly #registry: ServerRegistry;
  readonly #unsubscribe: () => void;

  constructor(store: ConfigStore, registry: ServerRegistry) {
    this.#store = store;
    this.#registry = registry;
    this.#unsubscribe = registry.onDidChange(() => this.#publish());
  }

  dispose(): void {
    this.#unsubscribe();
    this.#collection.dispose();
  }

  #publish(): void {
    const { files } = this.#store;
    const known = new Set(files.map(({ source }) => source.uri.toString()));
    this.#collection.forEach((uri) => {
      if (!known.has(uri.toString())) this.#collection.delete(uri);
    });
    for (const file of files) {
      const uri = file.source.uri.toString();
      const ofServers = this.#registry.servers
        .filter(({ configured }) => configured.source.uri.toString() === uri)
        .flatMap((server) => serverDiagnostics(server, file));
      this.#collection.set(file.source.uri, [
        ...file.problems.map((problem) => diagnostic(file, problem, 'error', problem.message)),
        ...this.#shadowed(file),
        ...ofServers,
      ]);
    }
  }

  #shadowed(file: LoadedConfig): vscode.Diagnostic[] {
    return this.#registry.configured.shadowed
      .filter(({ entry }) => entry.source.uri.toString() === file.source.uri.toString())
      .map(({ entry, by }) =>
        diagnostic(
          file,
          entry.nameRange,
          'warning',
          `This server is not used: ${by.label} has another one named "${visible(entry.name)}".`,
        ),
      );
  }
}

function serverDiagnostics(server: ManagedServer, file: LoadedConfig): vscode.Diagnostic[] {
  const { nameRange } = server.configured;
  const ofEntry = server.entryProblems.map(({ path, message }) =>
    diagnostic(
      file,
      locate(file.text, server.name, path) ?? nameRange,
      server.hasFatalEntryProblem ? 'error' : 'warning',
      message,
    ),
  );
  const found = server.findings.map((finding) => {
    const result = diagnostic(file, nameRange, finding.severity, inWords(finding));
    result.code = finding.code;
    return result;
  });
  return [...ofEntry, ...found];
}

function inWords({ message, count }: Finding): string {
  return count > 1 ? `${message} (${count}×)` : message;
}

function diagnostic(
  { text }: LoadedConfig,
  range: Parameters<typeof toRange>[1],
  severity: FindingSeverity,
  message: string,
): vscode.Diagnostic {
  const result = new vscode.Diagnostic(toRange(text, range), message, SEVERITIES[severity]);
  result.source = PRODUCT;
  return result;
}
