import { devNull } from 'node:os';
import { visible } from '../base/visibleText.ts';
import { isSameFile } from '../base/sameFile.ts';
import { parseZapAddress } from '../protocol/zap/address.ts';
import type { Complain } from './flagValues.ts';
import { one, type FlagValues } from './readFlags.ts';

/** Complains of two flags that would write into one file. */
export function refuseSharedFile(values: FlagValues, complain: Complain): void {
  const files = writtenFiles(values);
  for (const [index, { flag, path }] of files.entries()) {
    const other = files.slice(index + 1).find((each) => isSameFile(path, each.path));
    if (other === undefined || isSameFile(path, devNull)) continue;
    complain(
      `--${flag} and --${other.flag} name one file, ${visible(path)}, and each needs its own; name another for one of them.`,
    );
    return;
  }
}

/** The files that the flags make or add to. */
function writtenFiles(
  values: FlagValues,
): readonly { readonly flag: string; readonly path: string }[] {
  const zap = parseZapAddress(one(values, 'zap') ?? '');
  return [
    ...(['record', 'report', 'socket'] as const).map((flag) => ({ flag, path: one(values, flag) })),
    { flag: 'zap', path: zap.kind === 'unix' ? zap.path : undefined },
  ].flatMap(({ flag, path }) => (path === undefined || path === '' ? [] : [{ flag, path }]));
}
