import type { Node } from 'jsonc-parser';
import { membersOf, nodeAt } from '../jsonTree.ts';
import type { Program } from './program.ts';
import { edited, memberRange, separatorIn } from './rawEntry.ts';
import { commandOf } from './wrapEntry.ts';

/** What an entry was before it was wrapped, as far as its arguments say; `reason` is a clause. */
export type Unwrapping =
  | { readonly kind: 'unwrapped'; readonly raw: string }
  | { readonly kind: 'left'; readonly reason: string };

/** Takes the bridge out of an entry of which nothing is known but its text. The server is the same; the spelling need not be. */
export function unwrapEntry(text: string, entry: Node, program: Program | undefined): Unwrapping {
  const { args } = commandOf(entry);
  const end = args.indexOf('--');
  if (end >= 0) return unwrapCommand(text, entry, end);
  const variable = args[args.indexOf('--url-env') + 1];
  if (args.includes('--url-env') && variable !== undefined) {
    return unwrapAddress(text, entry, args, variable, program);
  }
  return { kind: 'left', reason: 'its arguments name no server that an entry could' };
}

function unwrapCommand(text: string, entry: Node, end: number): Unwrapping {
  const own = nodeAt(entry, ['command']);
  const holder = own?.type === 'object' ? own : entry;
  const command = own?.type === 'object' ? nodeAt(own, ['path']) : own;
  const args = nodeAt(holder, ['args']);
  const server = args?.children?.[end + 1];
  if (command === undefined || args === undefined || server === undefined) {
    return { kind: 'left', reason: 'there is no command after "--"' };
  }
  const start = args.offset + 1;
  const next = args.children?.[end + 2];
  const afterServer = server.offset + server.length;
  // Up to the first argument, or with the comma after the command; white space before the first one stays.
  const rest = next === undefined ? afterServer : startOfGap(text, afterServer, next.offset);
  const raw = text.slice(server.offset, afterServer);
  return {
    kind: 'unwrapped',
    raw: edited(text, entry, [
      { offset: command.offset, length: command.length, content: raw },
      { offset: start, length: rest - start, content: '' },
    ]),
  };
}

/** Behind the comma between two items, and behind the space after it where they are on one line. */
function startOfGap(text: string, from: number, to: number): number {
  const gap = text.slice(from, to);
  const comma = from + gap.indexOf(',') + 1;
  return /[\r\n]/.test(gap) ? comma : to;
}

function unwrapAddress(
  text: string,
  entry: Node,
  args: readonly string[],
  urlVariable: string,
  program: Program | undefined,
): Unwrapping {
  const env = nodeAt(entry, ['env']);
  const variables = new Map(
    (env === undefined ? [] : membersOf(env)).map((member) => [member.key, member]),
  );
  const rawOf = (name: string): string | undefined => {
    const value = variables.get(name)?.value;
    return value && text.slice(value.offset, value.offset + value.length);
  };
  const url = rawOf(urlVariable);
  if (url === undefined) return { kind: 'left', reason: `its "env" has no ${urlVariable}` };
  const headers = args.flatMap((flag, i) => {
    const [, name, variable] =
      flag === '--header-env' ? (/^([^=]+)=(.+)$/.exec(args[i + 1] ?? '') ?? []) : [];
    return name === undefined || variable === undefined ? [] : [{ name, variable }];
  });
  const used = new Set([urlVariable, ...headers.map(({ variable }) => variable)]);
  const others = [...variables.values()].filter(({ key }) => !used.has(key));
  const textOf = ({ offset, length }: { offset: number; length: number }): string =>
    text.slice(offset, offset + length);

  const pieces = membersOf(entry).flatMap((member): string[] => {
    switch (member.key) {
      case 'command':
        return [`"${program === 'windsurf' ? 'serverUrl' : 'url'}": ${url}`];
      case 'args': {
        const pairs = headers.map(({ name, variable }) => {
          return `${JSON.stringify(name)}: ${rawOf(variable) ?? '""'}`;
        });
        return pairs.length === 0 ? [] : [`"headers": { ${pairs.join(', ')} }`];
      }
      case 'env': {
        const kept = others.map((each) => textOf(memberRange(each)));
        return kept.length === 0 ? [] : [`"env": { ${kept.join(', ')} }`];
      }
      case 'type':
        return [`"type": "${args[args.indexOf('--type') + 1] === 'sse' ? 'sse' : 'http'}"`];
      default:
        return [textOf(memberRange(member))];
    }
  });
  const separator = separatorIn(text, entry);
  const raw = textOf(entry);
  const opening = /^\{\s*/.exec(raw)?.[0] ?? '{ ';
  const closing = /\s*\}$/.exec(raw)?.[0] ?? ' }';
  return { kind: 'unwrapped', raw: `${opening}${pieces.join(separator)}${closing}` };
}
