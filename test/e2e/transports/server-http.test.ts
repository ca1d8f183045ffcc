import { describeServer } from './lanes.ts';

describeServer('http');
