import type { Concern } from '../../../../src/protocol/concern.ts';
import type { Revision } from '../../../../src/protocol/revision.ts';
import type { Era } from '../../../support/everything.ts';

/** What becomes of a fault on its way to a reader that minds it. */
export type Fate =
  /** The reader takes it as it is. */
  | { readonly kind: 'untouched' }
  /** Mended, and nothing is lost. */
  | { readonly kind: 'mended'; readonly feature: Concern }
  /** Something nobody could read is dropped, under every policy. */
  | { readonly kind: 'dropped'; readonly feature: Concern }
  /** Something is lost: strict refuses the result. */
  | { readonly kind: 'lossy'; readonly feature: Concern }
  /** Something is lost: strict withholds the entry and shows the others. */
  | { readonly kind: 'withheld'; readonly feature: Concern }
  /** Refused, or the entry withheld, under every policy. */
  | { readonly kind: 'refused' | 'left out'; readonly feature: Concern }
  /** The server's own error. */
  | { readonly kind: 'error'; readonly code: number };

/** One thing that a server sends and that at least one known client throws on, drops or waits for. */
export interface Row {
  readonly name: string;
  readonly method: string;
  /** The result, as it is put on the wire but for what the modern era demands of it. */
  readonly result?: unknown;
  /** What is written instead, raw; `$ID` is the id of the request. */
  readonly lines?: readonly string[];
  readonly fate: Fate;
  /** Readers of other revisions pass over it. */
  readonly since?: Revision;
  readonly until?: Revision;
  /** What becomes of it for readers before `since`, where that is something else than nothing. */
  readonly earlier?: Fate;
  /** A text that reaches the reader wherever something does. */
  readonly keeps?: string;
  /** The only era of servers in which it makes sense. */
  readonly server?: Era;
  readonly progress?: true;
}

export type Rest = Partial<Omit<Row, 'name' | 'method' | 'result' | 'fate'>>;

export const untouched: Fate = { kind: 'untouched' };
export const mended = (feature: Concern): Fate => ({ kind: 'mended', feature });
export const dropped = (feature: Concern): Fate => ({ kind: 'dropped', feature });
export const lossy = (feature: Concern): Fate => ({ kind: 'lossy', feature });
export const withheld = (feature: Concern): Fate => ({ kind: 'withheld', feature });
export const leftOut = (feature: Concern): Fate => ({ kind: 'left out', feature });

export const NULL = mended('null-member');
export const LEGACY: Rest = { server: 'legacy' };
export const text = { type: 'text', text: 'words' };
export const png = { type: 'image', data: 'iVBORw0KGgo=', mimeType: 'image/png' };

export const call = (name: string, result: unknown, fate: Fate, rest: Rest = {}): Row => ({
  name: `call: ${name}`,
  method: 'tools/call',
  result,
  fate,
  ...rest,
});

export const block = (name: string, content: unknown, fate: Fate, rest: Rest = {}): Row => ({
  ...call(name, { content: [text, content] }, fate, { keeps: 'words', ...rest }),
  name: `block: ${name}`,
});

export const annotated = (name: string, annotations: unknown, fate: Fate, rest: Rest = {}): Row =>
  block(`annotations ${name}`, { ...text, annotations }, fate, rest);

export const list =
  (method: string, member: string, good: object) =>
  (name: string, entry: unknown, fate: Fate, rest: Rest = {}): Row => ({
    name: `${member}: ${name}`,
    method,
    result: { [member]: [good, entry] },
    fate,
    keeps: 'good',
    ...rest,
  });

export const schema = { type: 'object' };
export const tool = list('tools/list', 'tools', { name: 'good', inputSchema: schema });
export const prompt = list('prompts/list', 'prompts', { name: 'good' });
export const resource = list('resources/list', 'resources', { uri: 'a:good', name: 'good' });
export const template = list('resources/templates/list', 'resourceTemplates', {
  uriTemplate: 'a:{good}',
  name: 'good',
});

export const read = (name: string, contents: unknown, fate: Fate, rest: Rest = {}): Row => ({
  name: `read: ${name}`,
  method: 'resources/read',
  result: { contents },
  fate,
  ...rest,
});

export const got = (name: string, messages: unknown, fate: Fate, rest: Rest = {}): Row => ({
  name: `prompt: ${name}`,
  method: 'prompts/get',
  result: { messages },
  fate,
  ...rest,
});

export const completed = (name: string, result: unknown, fate: Fate, rest: Rest = {}): Row => ({
  name: `completion: ${name}`,
  method: 'completion/complete',
  result,
  fate,
  ...rest,
});

export const message = (
  name: string,
  lines: readonly string[],
  fate: Fate,
  rest: Rest = {},
): Row => ({
  name: `message: ${name}`,
  method: 'tools/call',
  lines,
  fate,
  ...rest,
});

export const empty = (name: string, method: string, result: unknown, fate: Fate): Row => ({
  name: `${method}: ${name}`,
  method,
  result,
  fate,
  server: 'legacy',
});

export const KEPT: Rest = { keeps: 'words' };
