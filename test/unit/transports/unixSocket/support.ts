import { mkdtempSync, rmSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** A path in a folder that is gone with the test. */
export function freshPath(): string {
  const folder = mkdtempSync(join(tmpdir(), 'rosetta-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return join(folder, 's.sock');
}

/** A client without a protocol of its own, gone with the test. */
export function connectRaw(path: string): { socket: Socket; lines: () => string[] } {
  const socket = connect(path);
  let text = '';
  socket.setEncoding('utf8');
  socket.on('data', (chunk: string) => (text += chunk));
  socket.on('error', () => undefined);
  onTestFinished(() => void socket.destroy());
  return { socket, lines: () => text.split('\n').slice(0, -1) };
}
