import { writeFileSync } from 'node:fs';
import { format } from 'prettier';
import { configJsonSchema } from '../src/config/jsonSchema.ts';

const path = new URL('../media/mcp-rosetta.schema.json', import.meta.url);
const text = await format(JSON.stringify(configJsonSchema()), { parser: 'json', printWidth: 100 });
writeFileSync(path, text);
