import { describeModern } from './lane.ts';
import { SDKS } from './sdks.ts';

describeModern(SDKS['2025-06-18']);
