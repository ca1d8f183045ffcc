import { getMember, kindOf } from '../protocol/rawJson.ts';
import { describeRaw } from '../translate/report.ts';
import type { Exchange } from './exchange.ts';

/** A modern request has its protocol version in `_meta`, which must be an object for that. */
export function noteReplacedMeta(exchange: Exchange): void {
  const { params } = exchange.request;
  const meta = params && getMember(params, '_meta');
  if (meta === undefined || kindOf(meta) === 'object') return;
  const before = describeRaw(meta);
  exchange.note([
    {
      feature: 'null-member',
      path: '/_meta',
      before,
      after: 'the keys of the protocol',
      loss: 'none',
    },
  ]);
}
