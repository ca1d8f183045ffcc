import { answer, fail, request, type RequestFrame, type ResponseFrame } from '../protocol/frame.ts';
import { ErrorCode } from '../protocol/errorCodes.ts';
import { Method } from '../protocol/methods.ts';
import { setMember } from '../protocol/rawEdit.ts';
import { getMember, isNull, itemsOf, toRaw, type RawJson } from '../protocol/rawJson.ts';
import type { Exchange } from './exchange.ts';

/** Where each list keeps its entries. */
const ENTRIES: ReadonlyMap<string, string> = new Map([
  [Method.toolsList, 'tools'],
  [Method.promptsList, 'prompts'],
  [Method.resourcesList, 'resources'],
  [Method.templatesList, 'resourceTemplates'],
]);

export function isList(method: string): boolean {
  return ENTRIES.has(method);
}

/** More pages than any honest list has. */
const MAX_PAGES = 100;

/** The entries on one page of a list. */
export function entriesOf(method: string, result: RawJson): RawJson[] {
  const name = ENTRIES.get(method);
  const list = name === undefined ? undefined : getMember(result, name);
  return list === undefined ? [] : itemsOf(list);
}

/** The cursor of the next page, or undefined at the end; a null means the end too. */
export function nextCursorOf(result: RawJson): RawJson | undefined {
  const cursor = getMember(result, 'nextCursor');
  return isNull(cursor) ? undefined : cursor;
}

export type Walk =
  | { readonly kind: 'list'; readonly entries: readonly RawJson[] }
  | { readonly kind: 'failed'; readonly message: string };

/** Fetches every page of a list by requests of the bridge's own; `send` asks the server. */
export async function walkList(
  method: string,
  send: (request: RequestFrame) => Promise<ResponseFrame>,
  onWarning: (message: string) => void,
): Promise<Walk> {
  const entries: RawJson[] = [];
  const seen = new Set<string>();
  let cursor: RawJson | undefined;
  for (let page = 0; page < MAX_PAGES; page++) {
    const params = cursor === undefined ? undefined : setMember(toRaw({}), 'cursor', cursor);
    const frame = await send(request('0', method, params));
    if (frame.error !== undefined) return { kind: 'failed', message: frame.error.message };
    entries.push(...entriesOf(method, frame.result));
    cursor = nextCursorOf(frame.result);
    if (cursor === undefined) return { kind: 'list', entries };
    const name = cursor.toString('utf8');
    if (seen.has(name)) {
      onWarning(`The server repeats a cursor in ${method}; the list was read up to there.`);
      return { kind: 'list', entries: withoutRepeats(entries) };
    }
    seen.add(name);
  }
  onWarning(`The server's ${method} has more than ${MAX_PAGES} pages; the rest was not read.`);
  return { kind: 'list', entries };
}

function withoutRepeats(entries: readonly RawJson[]): RawJson[] {
  return [...new Map(entries.map((entry) => [entry.toString('utf8'), entry])).values()];
}

/** A request of the bridge's own on a route that serves a client: it has no client to ask or to tell. */
export function ownExchange(
  own: RequestFrame,
  onResponse: (frame: ResponseFrame) => void,
): Exchange {
  let over = false;
  const end = (frame: ResponseFrame): void => {
    if (over) return;
    over = true;
    onResponse(frame);
  };
  return {
    isOwn: true,
    request: own,
    get isOver() {
      return over;
    },
    respond: end,
    answerTo: (_request, frame) => frame,
    answer: (result) => end(answer(own, result)),
    refuse: () => end(answer(own, toRaw({}))),
    raise: () => undefined,
    note: () => undefined,
    notify: () => undefined,
    ask: (question) => ({
      answer: Promise.resolve(fail(question, ErrorCode.methodNotFound, 'Nobody can be asked.')),
      withdraw: () => undefined,
    }),
    onCancel: () => undefined,
  };
}
