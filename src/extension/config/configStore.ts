import * as vscode from 'vscode';
import { configSources } from './configSource.ts';
import { readConfig, withServersOf, type LoadedConfig } from './readConfig.ts';

/** Watchers report one save several times. */
const SETTLE_MS = 50;
/** By then the editor watches: it begins some time after it was asked to, and does not tell when. */
const WATCHED_MS = 5_000;

/** The configuration files there are, read anew whenever one of them changes. */
export class ConfigStore implements vscode.Disposable {
  readonly #globalStorage: vscode.Uri;
  readonly #changed = new vscode.EventEmitter<void>();
  readonly #disposables: vscode.Disposable[] = [this.#changed];
  #watchers: vscode.Disposable[] = [];
  #files: readonly LoadedConfig[] = [];
  #timer: NodeJS.Timeout | undefined;
  #secondLook: NodeJS.Timeout | undefined;
  #reading: Promise<void> = Promise.resolve();

  readonly onDidChange = this.#changed.event;

  constructor(globalStorage: vscode.Uri) {
    this.#globalStorage = globalStorage;
    this.#disposables.push(
      vscode.workspace.onDidChangeWorkspaceFolders(() => {
        this.#watch();
        this.#schedule();
      }),
      // Watchers can be slow, and a save is when its author looks for the effect.
      vscode.workspace.onDidSaveTextDocument(({ uri }) => {
        const saved = uri.toString();
        if (this.#sources().some((source) => source.uri.toString() === saved)) this.#schedule();
      }),
    );
  }

  /** In the order in which a name is looked up. */
  get files(): readonly LoadedConfig[] {
    return this.#files;
  }

  /** Reads all files for the first time, and follows their changes from then on. */
  async start(): Promise<void> {
    try {
      // A folder that is missing when it is to be watched is not watched at all.
      await vscode.workspace.fs.createDirectory(this.#globalStorage);
    } catch {
      // Where it cannot be made, no file will be written there that could change.
    }
    this.#watch();
    await this.#load();
  }

  /** Reads all files; one reading follows the other. */
  #load(): Promise<void> {
    this.#reading = this.#reading.then(async () => {
      const read = await Promise.all(this.#sources().map(readConfig));
      const previous = new Map(this.#files.map((file) => [file.source.uri.toString(), file]));
      this.#files = read
        .filter((file) => file !== undefined)
        .map((file) => withServersOf(previous.get(file.source.uri.toString()), file));
      this.#changed.fire();
    });
    return this.#reading;
  }

  dispose(): void {
    clearTimeout(this.#timer);
    clearTimeout(this.#secondLook);
    for (const each of [...this.#watchers, ...this.#disposables]) each.dispose();
  }

  #sources() {
    return configSources(this.#globalStorage);
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#load(), SETTLE_MS);
  }

  #watch(): void {
    // What was written before the editor watched, no watcher tells of.
    clearTimeout(this.#secondLook);
    this.#secondLook = setTimeout(() => void this.#load(), WATCHED_MS);
    for (const watcher of this.#watchers) watcher.dispose();
    this.#watchers = this.#sources().flatMap(({ uri }) => {
      const folder = vscode.Uri.joinPath(uri, '..');
      const name = uri.path.split('/').at(-1) ?? '';
      const watcher = vscode.workspace.createFileSystemWatcher(
        new vscode.RelativePattern(folder, name),
      );
      const schedule = (): void => this.#schedule();
      return [
        watcher,
        watcher.onDidChange(schedule),
        watcher.onDidCreate(schedule),
        watcher.onDidDelete(schedule),
      ];
    });
  }
}
