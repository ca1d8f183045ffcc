import type { Frame, IdToken } from '../../protocol/frame.ts';
import type { TransportFailure } from '../transport.ts';
import { MAX_LINE_BYTES } from './lineReader.ts';
import type { MessageWriter } from './messageWriter.ts';

/**
 * Why a message is not sent to a server: it is a request, and as much as one message may hold waits unread already.
 * Undefined where it may be sent.
 */
export function unread(
  frame: Frame,
  { waiting }: MessageWriter,
): { readonly id: IdToken; readonly failure: TransportFailure } | undefined {
  if (frame.kind !== 'request' || waiting <= MAX_LINE_BYTES) return undefined;
  const message = `The server does not read what it is sent: ${waiting} bytes wait for it. The request was not added to them.`;
  return { id: frame.id, failure: { kind: 'network', message } };
}
