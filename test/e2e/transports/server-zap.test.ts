import { describeServer } from './lanes.ts';

describeServer('zap');
