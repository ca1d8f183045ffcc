import { describeModern } from './lane.ts';
import { SDKS } from './sdks.ts';

describeModern(SDKS['2025-11-25']);
