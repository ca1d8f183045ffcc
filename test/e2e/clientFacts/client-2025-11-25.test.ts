import { describeFacts } from './cells.ts';

describeFacts('2025-11-25');
