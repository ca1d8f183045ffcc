import { describeClient } from './table.ts';

describeClient('2026-07-28');
