const LF = 0x0a;
const CR = 0x0d;
const EVENT_START = Buffer.from('event: message\ndata: ');
const EVENT_END = Buffer.from('\n\n');

/** A line that every reader of events skips; keeps a quiet connection alive. */
export const KEEP_ALIVE_COMMENT = ': keep-alive\n\n';

/** One message as an event. Line ends, which JSON has only between its tokens, start a further `data` line. */
export function encodeEvent(message: readonly Buffer[]): Buffer[] {
  const body = message.map((chunk) =>
    chunk.includes(LF) || chunk.includes(CR)
      ? Buffer.from(chunk.toString('latin1').replaceAll(/\r\n|\r|\n/g, '\ndata: '), 'latin1')
      : chunk,
  );
  return [EVENT_START, ...body, EVENT_END];
}
