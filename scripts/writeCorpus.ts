import { writeFileSync } from 'node:fs';
import { format, resolveConfig } from 'prettier';

import { loadCorpus, translate } from '../test/support/corpus.ts';

// Writes down anew what comes out of the rules for each example, after a change that was meant; the difference is for a
// person to read.

for (const [file, example] of loadCorpus()) {
  const text = JSON.stringify({ ...example, came: translate(example) });
  const options = { ...(await resolveConfig(file)), filepath: file };
  writeFileSync(file, await format(text, options));
}
