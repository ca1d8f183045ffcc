import { describeModern } from './lane.ts';
import { SDKS } from './sdks.ts';

describeModern(SDKS['2024-11-05']);
