import { allLanes, titleOf } from '../test/e2e/transports/lane.ts';
import { runLaneTable } from './laneTable.ts';

// Runs the whole table of transports: each of them with each era, on the side of the client and on that of the server.

const lanes = allLanes().map(titleOf);
const passed = await runLaneTable({
  folder: 'test/e2e/transports/',
  variable: 'TRANSPORTS',
  lanes,
});
process.exitCode = passed ? 0 : 1;
