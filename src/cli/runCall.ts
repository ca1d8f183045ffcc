import { text } from 'node:stream/consumers';
import { visible } from '../base/visibleText.ts';
import { walkList } from '../bridge/listWalk.ts';
import { openOwnClient, type OwnClient } from '../bridge/ownClient.ts';
import { nearestName } from '../config/nearestName.ts';
import { quote } from '../config/quote.ts';
import { Method } from '../protocol/methods.ts';
import { setMember } from '../protocol/rawEdit.ts';
import { getMember, stringOf, toRaw, type RawJson } from '../protocol/rawJson.ts';
import { formatCallResult } from './callText.ts';
import type { CliCommand } from './command.ts';
import { argumentsFrom, NOT_ARGUMENTS } from './editorArguments.ts';
import type { Face } from './face.ts';
import { forTerminal } from './forTerminal.ts';

const FAILED = 1;
const USAGE = 2;
/** More names of tools than this tell nobody anything. */
const MOST_NAMES = 20;

type CallCommand = Extract<CliCommand, { kind: 'call' }>;

/** Calls one tool and prints its result; gives the exit code, which is 1 where the tool failed or was refused. */
export async function runCall(face: Face, { tool, input, json }: CallCommand): Promise<number> {
  const [bridge] = face.bridges;
  if (bridge === undefined) return FAILED;
  const given = input.kind === 'given' ? input.raw : argumentsFrom(await text(process.stdin));
  if (given === undefined) {
    face.log('error', `Standard input ${NOT_ARGUMENTS}.`);
    return USAGE;
  }
  const client = openOwnClient(bridge.accept, {
    version: face.version,
    // Aloud, instead of failing for a reason nobody sees.
    onDeclined: (question) =>
      face.log('warning', `Declined the server's question: ${quote(question)}`),
  });
  let isRefused = false;
  bridge.onEvent((event) => {
    if (event.kind !== 'refusal') return;
    if (event.method === Method.toolsList || event.tool === tool) isRefused = true;
  });
  try {
    const outcome = await call(client, tool, given, face);
    const isError =
      outcome.kind === 'failed' ||
      getMember(outcome.result, 'isError')?.toString('latin1') === 'true';
    // What the bridge itself says stands in the log already.
    if (isError && isRefused) return FAILED;
    if (outcome.kind === 'failed') {
      // What kept the server from starting is in the log, too, as its state.
      if (!('message' in bridge.state)) face.log('error', visible(outcome.message));
      return FAILED;
    }
    print(outcome.result, json);
    if (isError) face.log('error', `The tool ${quote(tool)} failed; its result says why.`);
    return isError ? FAILED : 0;
  } finally {
    client.close();
  }
}

type Outcome =
  | { readonly kind: 'result'; readonly result: RawJson }
  | { readonly kind: 'failed'; readonly message: string };

async function call(client: OwnClient, tool: string, given: RawJson, face: Face): Promise<Outcome> {
  const opened = await client.opened;
  if (opened.error !== undefined) return { kind: 'failed', message: opened.error.message };
  client.ready();
  const capabilities = getMember(opened.result, 'capabilities');
  const hasTools = capabilities !== undefined && getMember(capabilities, 'tools') !== undefined;
  if (!hasTools) return { kind: 'failed', message: 'The server has no tools.' };
  const walk = await walkList(
    Method.toolsList,
    (own) => client.ask(own.method, own.params),
    (message) => face.log('warning', message),
  );
  if (walk.kind === 'failed') return walk;
  const names = walk.entries.flatMap((entry) => stringOf(getMember(entry, 'name')) ?? []);
  if (!names.includes(tool)) return { kind: 'failed', message: unknownTool(tool, names) };
  const params = setMember(setMember(toRaw({}), 'name', toRaw(tool)), 'arguments', given);
  const response = await client.ask(Method.toolsCall, params);
  return response.error === undefined
    ? { kind: 'result', result: response.result }
    : { kind: 'failed', message: response.error.message };
}

function unknownTool(tool: string, names: readonly string[]): string {
  const nearest = nearestName(tool, names);
  const start = `There is no tool ${quote(tool)}`;
  if (nearest !== undefined) return `${start}; did you mean ${quote(nearest)}?`;
  if (names.length === 0) return `${start}; the server has none.`;
  const shown = names.slice(0, MOST_NAMES).map(quote).join(', ');
  const more = names.length - MOST_NAMES;
  return `${start}; there are ${shown}${more > 0 ? ` and ${more} more` : ''}.`;
}

function print(result: RawJson, json: boolean): void {
  const output = json ? `${result.toString('utf8')}\n` : formatCallResult(result);
  process.stdout.write(process.stdout.isTTY ? forTerminal(output) : output);
}
