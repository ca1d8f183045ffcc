import type { Codec } from './codec.ts';
import { codecOf } from './codecs.ts';
import type { Feature } from './concern.ts';
import { featuresOf } from './features.ts';
import type { Revision } from './revision.ts';

/**
 * What the reader of a message can take beyond its revision: `spec` takes what the schema says; `vscode` is VS Code's
 * own client, which validates tool schemas as draft-07.
 */
export const READERS = ['spec', 'vscode'] as const;

export type Reader = (typeof READERS)[number];

/** What one negotiated leg can say: a fact about two peers, never a decision. */
export interface Profile {
  readonly revision: Revision;
  readonly reader: Reader;
  readonly features: ReadonlySet<Feature>;
  readonly codec: Codec;
}

export function profileOf(revision: Revision, reader: Reader = 'spec'): Profile {
  return { revision, reader, features: featuresOf(revision), codec: codecOf(revision) };
}
