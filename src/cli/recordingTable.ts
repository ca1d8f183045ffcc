import { visible } from '../base/visibleText.ts';
import type { Entry } from '../bridge/recording/recording.ts';
import type { Frame } from '../protocol/frame.ts';
import { getMember, itemsOf, stringOf, toRaw, type RawJson } from '../protocol/rawJson.ts';

type MessageEntry = Extract<Entry, { kind: 'message' }>;

/** What stands in one line, behind the time and the server. */
interface Row {
  readonly seconds: string;
  readonly server: string;
  readonly text: string;
  /** A message, which may be cut; the words to a person never are. */
  readonly isMessage: boolean;
}

/**
 * A recording for a person: when, on which side and which way, what was said; changes and refusals stand between. The
 * times are those since the run began. It keeps no more of an entry than is shown.
 */
export class RecordingTable {
  readonly #width: number;
  readonly #rows: (Row | string)[] = [];
  readonly #servers = new Set<string>();
  #run: number | undefined;
  #start = 0;

  /** Messages are cut at the width. */
  constructor(width: number) {
    this.#width = width;
  }

  take(entry: Entry): void {
    if (entry.run !== this.#run) {
      if (this.#run !== undefined) {
        this.#rows.push('', `the next run, of ${entry.time.toISOString()}:`);
      }
      this.#run = entry.run;
      this.#start = entry.time.getTime();
    }
    this.#servers.add(entry.server);
    const isMessage = entry.kind === 'message';
    const texts = isMessage ? [messageText(entry, this.#width)] : noteTexts(entry.raw);
    const seconds = ((entry.time.getTime() - this.#start) / 1000).toFixed(3).padStart(9);
    const { server } = entry;
    this.#rows.push(...texts.map((text): Row => ({ seconds, server, text, isMessage })));
  }

  /** The lines of the table, once every entry was taken. */
  *lines(): Generator<string> {
    if (this.#rows.length === 0) yield 'The recording is empty.';
    // Which server it was is worth its place where there are several.
    const isNamed = this.#servers.size > 1;
    for (const row of this.#rows) {
      if (typeof row === 'string') {
        yield row;
        continue;
      }
      const server = isNamed ? ` [${visible(row.server)}]` : '';
      const line = `${row.seconds}${server}  ${row.text}`;
      yield (row.isMessage ? cut(line, this.#width) : line).trimEnd();
    }
  }
}

function messageText({ leg, from, conversation, frame }: MessageEntry, width: number): string {
  const arrow = from === 'bridge' ? '<-' : '->';
  const back = from === 'bridge' ? '->' : '<-';
  const way =
    leg === 'downstream'
      ? `client ${arrow} bridge            `
      : `           bridge ${back} server `;
  // Cut before, as well: a message can be long, and making it visible makes nothing shorter.
  return `${way}${conversation}  ${visible(frameText(frame, width).slice(0, width))}`;
}

function frameText(frame: Frame, width: number): string {
  // No character has more bytes.
  const payload = (raw: RawJson | undefined): string => raw?.toString('utf8', 0, 4 * width) ?? '';
  switch (frame.kind) {
    case 'request':
      return `#${frame.id} ${frame.method} ${payload(frame.params)}`;
    case 'notify':
      return `${frame.method} ${payload(frame.params)}`;
    case 'response':
      return frame.error === undefined
        ? `#${frame.id ?? 'null'} = ${payload(frame.result)}`
        : `#${frame.id ?? 'null'} failed ${payload(frame.error.raw)}`;
  }
}

function noteTexts(raw: RawJson): string[] {
  const text = (of: RawJson, key: string): string => visible(stringOf(getMember(of, key)) ?? '');
  const subject = text(raw, 'tool') || text(raw, 'method');
  switch (text(raw, 'kind')) {
    case 'report':
      return itemsOf(getMember(raw, 'steps') ?? toRaw([])).map((step) => {
        const place = `${subject} ${text(step, 'path')}`.trimEnd();
        return `  changed  ${text(step, 'feature')}: ${place}: ${text(step, 'before')} became ${text(step, 'after')}`;
      });
    case 'refusal': {
      const refusal = getMember(raw, 'refusal') ?? toRaw({});
      return [`  refused  ${text(refusal, 'feature')}: ${subject}: ${text(refusal, 'hint')}`];
    }
    default:
      return [`  warning  ${text(raw, 'message')}`];
  }
}

function cut(line: string, width: number): string {
  return line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1))}…`;
}
