import { visible } from '../base/visibleText.ts';
import type { Entry } from '../bridge/recording/recording.ts';
import type { Frame } from '../protocol/frame.ts';
import { getMember, itemsOf, stringOf, toRaw, type RawJson } from '../protocol/rawJson.ts';

type MessageEntry = Extract<Entry, { kind: 'message' }>;

/**
 * A recording for a person: when, on which side and which way, what was said; changes and refusals stand between. The times are those
 * since the run began. Messages are cut at the width, the words to a person never.
 */
export function formatRecording(entries: readonly Entry[], width: number): string {
  let run = entries[0]?.run;
  let start = entries[0]?.time.getTime() ?? 0;
  const several = new Set(entries.map(({ server }) => server)).size > 1;
  const lines = entries.flatMap((entry) => {
    const isNext = entry.run !== run;
    if (isNext) start = entry.time.getTime();
    run = entry.run;
    const seconds = ((entry.time.getTime() - start) / 1000).toFixed(3).padStart(9);
    const server = several ? ` [${visible(entry.server)}]` : '';
    const head = `${seconds}${server}  `;
    const separator = isNext ? ['', `the next run, of ${entry.time.toISOString()}:`] : [];
    return entry.kind === 'message'
      ? [...separator, cut(head + messageText(entry), width).trimEnd()]
      : [...separator, ...noteTexts(entry.raw).map((text) => (head + text).trimEnd())];
  });
  return lines.length === 0 ? 'The recording is empty.\n' : `${lines.join('\n')}\n`;
}

function messageText({ leg, from, conversation, frame }: MessageEntry): string {
  const arrow = from === 'bridge' ? '<-' : '->';
  const back = from === 'bridge' ? '->' : '<-';
  const way =
    leg === 'downstream'
      ? `client ${arrow} bridge            `
      : `           bridge ${back} server `;
  return `${way}${conversation}  ${visible(frameText(frame))}`;
}

function frameText(frame: Frame): string {
  const payload = (raw: RawJson | undefined): string => raw?.toString('utf8') ?? '';
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
  const text = (of: RawJson, key: string): string => stringOf(getMember(of, key)) ?? '';
  const subject = text(raw, 'tool') || text(raw, 'method');
  switch (text(raw, 'kind')) {
    case 'report':
      return itemsOf(getMember(raw, 'steps') ?? toRaw([])).map((step) => {
        const place = `${subject} ${text(step, 'path')}`.trimEnd();
        return `  changed  ${text(step, 'feature')}: ${visible(place)}: ${text(step, 'before')} became ${text(step, 'after')}`;
      });
    case 'refusal': {
      const refusal = getMember(raw, 'refusal') ?? toRaw({});
      return [
        `  refused  ${text(refusal, 'feature')}: ${visible(subject)}: ${text(refusal, 'hint')}`,
      ];
    }
    default:
      return [`  warning  ${visible(text(raw, 'message'))}`];
  }
}

function cut(line: string, width: number): string {
  return line.length <= width ? line : `${line.slice(0, Math.max(0, width - 1))}…`;
}
