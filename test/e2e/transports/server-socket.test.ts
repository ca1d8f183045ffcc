import { describeServer } from './lanes.ts';

describeServer('socket');
