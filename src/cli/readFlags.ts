import { nearestName } from '../config/nearestName.ts';
import { visible } from '../base/visibleText.ts';
import { FLAGS, isFlagName, takes, type CommandName, type FlagName } from './flags.ts';
import type { Complain } from './flagValues.ts';
import type { FlagToken } from './pieces.ts';

/** The values of the flags that were given; of a flag without a value, one empty text. */
export type FlagValues = ReadonlyMap<FlagName, readonly string[]>;

/** The value of a flag that is given once. */
export function one(values: FlagValues, name: FlagName): string | undefined {
  return values.get(name)?.[0];
}

function describeUnknown({ name, rawName }: FlagToken, command: CommandName): string {
  const all = Object.keys(FLAGS).filter(isFlagName);
  const own = all.filter((flag) => takes(command, flag));
  const nearest = nearestName(name, own) ?? nearestName(name, all);
  const hint = nearest === undefined ? '.' : `; did you mean --${nearest}?`;
  return `unknown flag ${visible(rawName)}${hint}`;
}

/** What is wrong with one flag by itself. */
function flagProblem(flag: FlagToken, command: CommandName): string | undefined {
  const { name, rawName, value, isInline } = flag;
  if (!isFlagName(name)) return describeUnknown(flag, command);
  if (!takes(command, name)) {
    const of: readonly string[] = FLAGS[name].of;
    const owners = [of.slice(0, -1).join(', '), ...of.slice(-1)].filter((part) => part !== '');
    return `${rawName} is for ${owners.join(' and ')}, not for ${command}.`;
  }
  if (FLAGS[name].type === 'boolean') {
    return value === undefined ? undefined : `${rawName} takes no value.`;
  }
  // `--port --json` has forgotten the value; `--token=-x` means what it says.
  if (value === undefined || value === '' || (!isInline && value === '--')) {
    return `${rawName} needs a value, as in ${rawName} VALUE.`;
  }
  return !isInline && value.startsWith('-')
    ? `${rawName} needs a value; one that begins with "-" is written ${rawName}=VALUE.`
    : undefined;
}

/** The flags by name, after a check that each is one that the command takes and has the value that it needs. */
export function readFlags(
  flags: readonly FlagToken[],
  command: CommandName,
  complain: Complain,
): FlagValues {
  const values = new Map<FlagName, string[]>();
  for (const flag of flags) {
    const { name, rawName, value = '' } = flag;
    const problem = flagProblem(flag, command);
    if (problem !== undefined) complain(problem);
    if (!isFlagName(name)) continue;
    const earlier = values.get(name) ?? [];
    if (earlier.length > 0 && FLAGS[name].type === 'string' && !('multiple' in FLAGS[name])) {
      complain(`${rawName} is given twice.`);
    }
    values.set(name, [...earlier, value]);
  }
  return values;
}
