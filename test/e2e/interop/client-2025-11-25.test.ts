import { describeClient } from './table.ts';

describeClient('2025-11-25');
