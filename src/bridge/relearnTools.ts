import { Method } from '../protocol/methods.ts';
import { profileOf } from '../protocol/profile.ts';
import type { TransportKind } from '../protocol/transportKind.ts';
import { STRICT } from '../translate/policy.ts';
import { lowerToolList } from '../translate/toolList/lowerToolList.ts';
import { answerOrFailure } from './callOutcome.ts';
import { walkList } from './listWalk.ts';
import type { Caller, ModernUpstream } from './modernUpstream.ts';

/** Walks the tools of a modern server once more, for what its calls have to repeat in headers. */
export async function relearnTools(
  upstream: ModernUpstream,
  caller: Caller,
  transport: TransportKind,
  onWarning: (message: string) => void,
): Promise<void> {
  const from = profileOf(upstream.server.revision);
  await walkList(
    Method.toolsList,
    (request) =>
      new Promise((resolve) => {
        upstream.call(request, caller, {
          onOutcome: (outcome) => {
            const frame = answerOrFailure(request, outcome);
            if (frame.error === undefined) {
              const context = { from, to: from, policy: STRICT, upstream: transport };
              const list = lowerToolList(frame.result, { ...context, aliases: new Map() });
              upstream.learnTools(list.tools);
            }
            resolve(frame);
          },
        });
      }),
    onWarning,
  );
}
