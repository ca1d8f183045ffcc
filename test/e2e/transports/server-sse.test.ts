import { describeServer } from './lanes.ts';

describeServer('sse');
