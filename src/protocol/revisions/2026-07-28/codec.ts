import type { Codec } from '../../codec.ts';
import { ErrorCode } from '../../errorCodes.ts';
import { Method } from '../../methods.ts';

export const codec: Codec = {
  typesResults: true,
  cacheable: new Set([
    Method.discover,
    Method.toolsList,
    Method.promptsList,
    Method.resourcesList,
    Method.templatesList,
    Method.resourcesRead,
  ]),
  asking: new Set([Method.toolsCall, Method.promptsGet, Method.resourcesRead]),
  empty: new Set(),
  resourceNotFound: ErrorCode.invalidParams,
};
