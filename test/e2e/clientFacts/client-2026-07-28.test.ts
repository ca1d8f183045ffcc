import { describeFacts } from './cells.ts';

describeFacts('2026-07-28');
