import { describeClient } from './table.ts';

describeClient('2025-03-26');
