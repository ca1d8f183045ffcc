import { describeFacts } from './cells.ts';

describeFacts('2025-06-18');
