import type { Frame } from '../../protocol/frame.ts';
import { writeMessage } from '../../protocol/jsonRpc.ts';

const LINE_FEED = Buffer.from('\n');
const SPACE = 0x20;

/**
 * A payload that came over HTTP may be spread over lines. In JSON a raw line break stands outside strings only, where
 * a space means the same. Copies nothing where there is no line break.
 */
function onOneLine(chunk: Buffer): Buffer {
  if (!chunk.includes(0x0a) && !chunk.includes(0x0d)) return chunk;
  const line = Buffer.from(chunk);
  for (const lineBreak of [0x0a, 0x0d]) {
    for (let at = line.indexOf(lineBreak); at >= 0; at = line.indexOf(lineBreak, at + 1)) {
      line[at] = SPACE;
    }
  }
  return line;
}

/** One message as one line, line break included. */
export function lineOf(frame: Frame): Buffer[] {
  return [...writeMessage(frame).map(onOneLine), LINE_FEED];
}

/** Several messages as one line that holds an array (JSON-RPC 2.0, section 6). */
export function batchLineOf(frames: readonly Frame[]): Buffer[] {
  const items = frames.flatMap((frame, index) => [
    Buffer.from(index === 0 ? '[' : ','),
    ...writeMessage(frame).map(onOneLine),
  ]);
  return [...items, Buffer.from(']'), LINE_FEED];
}
