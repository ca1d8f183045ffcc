import type { Codec } from '../../codec.ts';
import { ErrorCode } from '../../errorCodes.ts';
import { Method } from '../../methods.ts';

export const codec: Codec = {
  typesResults: false,
  cacheable: new Set(),
  asking: new Set(),
  empty: new Set([Method.ping, Method.setLevel, Method.subscribe, Method.unsubscribe]),
  resourceNotFound: ErrorCode.resourceNotFound,
};
