import { appendFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

/** Writes its process id to a file, one line for each start, and becomes the program named after it. */
const [, , marker, program, ...parameters] = process.argv;
if (marker === undefined || program === undefined) throw new Error('Usage: marked.ts FILE PROGRAM');
appendFileSync(marker, `${process.pid}\n`);
process.argv.splice(2, process.argv.length, ...parameters);
await import(pathToFileURL(program).href);
