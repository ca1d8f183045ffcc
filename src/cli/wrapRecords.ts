import { createHash } from 'node:crypto';
import { readFile, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { makePrivateFolder, replaceFile } from '../base/replaceFile.ts';
import type { WrapRecord } from '../config/editors/wrapFile.ts';
import { stateFolder } from './stateFolder.ts';

/** What `wrap` keeps of one file, so that `unwrap` can put back every byte. Only the user can read it. */
export interface WrapRecords {
  read(): Promise<readonly WrapRecord[]>;
  /** None at all removes the file. Rejects where it cannot be written. */
  write(records: readonly WrapRecord[]): Promise<void>;
}

/** The records of the file at this path, which has no link in it. */
export function wrapRecords(path: string, env: NodeJS.ProcessEnv): WrapRecords {
  const name = createHash('sha256').update(path).digest('hex');
  const file = join(stateFolder(env), 'wrapped', `${name}.json`);
  return {
    read: async () => {
      try {
        return recordsIn(JSON.parse(await readFile(file, 'utf8')));
      } catch {
        // Absent or damaged: nothing is remembered, and the arguments must do.
        return [];
      }
    },
    write: async (records) => {
      if (records.length === 0) return rm(file, { force: true });
      await makePrivateFolder(dirname(file));
      await replaceFile(file, JSON.stringify({ file: path, records }), 0o600);
    },
  };
}

function recordsIn(content: unknown): readonly WrapRecord[] {
  const isObject = typeof content === 'object' && content !== null && 'records' in content;
  const records: unknown = isObject ? content.records : undefined;
  return Array.isArray(records) ? records.filter(isRecord) : [];
}

function isRecord(value: unknown): value is WrapRecord {
  if (typeof value !== 'object' || value === null) return false;
  const { path, original, wrapped } = value as Partial<Record<keyof WrapRecord, unknown>>;
  return (
    Array.isArray(path) &&
    path.every((step) => typeof step === 'string') &&
    typeof original === 'string' &&
    typeof wrapped === 'string'
  );
}
