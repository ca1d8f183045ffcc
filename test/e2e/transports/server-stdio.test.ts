import { describeServer } from './lanes.ts';

describeServer('stdio');
