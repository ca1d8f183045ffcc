import { allLanes, titleOf } from '../test/e2e/interop/lane.ts';
import { runLaneTable } from './laneTable.ts';

// Runs the whole interop table: each client SDK and each server SDK of all dated revisions.

const lanes = allLanes().map(titleOf);
const passed = await runLaneTable({ folder: 'test/e2e/interop/', variable: 'INTEROP', lanes });
process.exitCode = passed ? 0 : 1;
