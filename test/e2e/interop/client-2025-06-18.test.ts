import { describeClient } from './table.ts';

describeClient('2025-06-18');
