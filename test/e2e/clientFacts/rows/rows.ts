import { BLOCKS } from './blocks.ts';
import { CALLS } from './calls.ts';
import { LISTS } from './lists.ts';
import { MESSAGES } from './messages.ts';
import { OTHERS } from './others.ts';
import type { Row } from './row.ts';
import { TOOLS } from './tools.ts';

export const ROWS: readonly Row[] = [
  ...CALLS,
  ...BLOCKS,
  ...TOOLS,
  ...LISTS,
  ...OTHERS,
  ...MESSAGES,
];
