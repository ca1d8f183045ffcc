import { describeFacts } from './cells.ts';

describeFacts('2024-11-05');
