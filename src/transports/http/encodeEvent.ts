const LF = 0x0a;
const CR = 0x0d;
const EVENT_TYPE = 'event: message\n';
const EVENT_END = Buffer.from('\n\n');

/** A line that every reader of events skips; keeps a quiet connection alive. */
export const KEEP_ALIVE_COMMENT = ': keep-alive\n\n';

/**
 * One message as an event, `id` being its event id. Line ends, which JSON has only between its tokens, start a further
 * `data` line.
 */
export function encodeEvent(message: readonly Buffer[], id?: string): Buffer[] {
  const body = message.map((chunk) =>
    chunk.includes(LF) || chunk.includes(CR)
      ? Buffer.from(chunk.toString('latin1').replaceAll(/\r\n|\r|\n/g, '\ndata: '), 'latin1')
      : chunk,
  );
  const start = id === undefined ? EVENT_TYPE : `${EVENT_TYPE}id: ${id}\n`;
  return [Buffer.from(`${start}data: `), ...body, EVENT_END];
}
