import { openLineFile, type LineFile } from '../../base/lineFile.ts';
import type { Bridge } from '../../bridge/bridge.ts';
import { createRecorder, recordingHead } from '../../bridge/recording/recorder.ts';
import type { Redact } from '../../config/redactor.ts';

export interface ServerRecorderOptions {
  /** The server's name. */
  readonly server: string;
  /** The product's version. */
  readonly version: string;
  /** Takes the server's secrets out of a text, as far as they are known by then. */
  readonly redact: Redact;
  readonly onDidChange: () => void;
  /** The file cannot be written any more, and the recording is over. */
  readonly onFailed: (message: string) => void;
}

/** What has been recorded so far. */
export interface Recorded {
  readonly path: string;
  readonly messages: number;
}

interface Recording {
  readonly path: string;
  readonly file: LineFile;
  messages: number;
  /** The highest number of a conversation so far: a bridge counts its own from 1. */
  conversations: number;
  /** Leaves the bridge that is recorded. */
  detach: () => void;
}

/** Records what passes between one server and its clients, also over restarts, from one wish of the user's to the next. */
export class ServerRecorder {
  readonly #options: ServerRecorderOptions;
  #bridge: Bridge | undefined;
  #recording: Recording | undefined;

  constructor(options: ServerRecorderOptions) {
    this.#options = options;
  }

  /** Undefined while nothing is recorded. */
  get recorded(): Recorded | undefined {
    return this.#recording;
  }

  /** Begins a file anew, in place of the one that was written so far; returns why it cannot be written. */
  start(path: string): string | undefined {
    const opened = openLineFile(path, 'recording', (message) => this.#fail(message), 'replace');
    if (opened.kind === 'failed') return opened.message;
    this.stop();
    this.#recording = {
      path,
      file: opened.file,
      messages: 0,
      conversations: 0,
      detach: () => undefined,
    };
    opened.file.write(recordingHead(this.#options.version));
    this.#record();
    this.#options.onDidChange();
    return undefined;
  }

  /** Goes on with what passes this bridge; of the one before it there is nothing more to come. */
  follow(bridge: Bridge): void {
    this.#bridge = bridge;
    this.#record();
  }

  /** Ends the recording; the file is complete. */
  stop(): Recorded | undefined {
    const recording = this.#recording;
    if (recording === undefined) return undefined;
    this.#recording = undefined;
    recording.detach();
    recording.file.close();
    this.#options.onDidChange();
    return recording;
  }

  #record(): void {
    const bridge = this.#bridge;
    const recording = this.#recording;
    if (bridge === undefined || recording === undefined) return;
    recording.detach();
    const { server, redact } = this.#options;
    const recorder = createRecorder({
      server,
      redact,
      now: () => new Date(),
      write: (line) => recording.file.write(line),
    });
    const before = recording.conversations;
    bridge.record((traffic) => {
      const conversation = before + traffic.conversation;
      recording.messages++;
      recording.conversations = Math.max(recording.conversations, conversation);
      recorder.onTraffic({ ...traffic, conversation });
    });
    const unsubscribe = bridge.onEvent(recorder.onEvent);
    recording.detach = () => {
      bridge.record(undefined);
      unsubscribe();
    };
  }

  #fail(message: string): void {
    this.stop();
    this.#options.onFailed(message);
  }
}
