import { describeLegacy } from './lane.ts';
import { SDKS } from './sdks.ts';

for (const sdk of Object.values(SDKS)) describeLegacy(sdk);
