import { describeFacts } from './cells.ts';

describeFacts('2025-03-26');
