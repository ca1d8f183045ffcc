import { describeClient } from './table.ts';

describeClient('2024-11-05');
