import type { Feature } from '../../protocol/concern.ts';
import { Method } from '../../protocol/methods.ts';

/** The smallest message that needs a feature, and which rules it is put to. */
export type Specimen =
  | { readonly kind: 'result' | 'request' | 'question'; readonly method: string; value: object }
  | { readonly kind: 'tool'; readonly value: object }
  /** The bridge joins two ways of conversing; no message is rewritten for it. */
  | { readonly kind: 'conversation'; readonly instead: string };

const called = (content: object, members: object = {}): Specimen => ({
  kind: 'result',
  method: Method.toolsCall,
  value: { resultType: 'complete', content: [content], ...members },
});

const prompted = (content: object): Specimen => ({
  kind: 'result',
  method: Method.promptsGet,
  value: { resultType: 'complete', messages: [{ role: 'user', content }] },
});

const form = (field: object): Specimen => ({
  kind: 'question',
  method: Method.elicit,
  value: { message: 'Which?', requestedSchema: { type: 'object', properties: { field } } },
});

const text = { type: 'text', text: 'Hello' };
const audio = { type: 'audio', data: '', mimeType: 'audio/wav' };
const link = { type: 'resource_link', uri: 'file:///a', name: 'a' };

/** One message for each feature, as its newest revision writes it. */
export const SPECIMENS: Readonly<Record<Feature, Specimen>> = {
  'tool-annotations': {
    kind: 'tool',
    value: { name: 'a', inputSchema: { type: 'object' }, annotations: { readOnlyHint: true } },
  },
  'tool-audio-content': called(audio),
  'tool-resource-link': called(link),
  'tool-structured-output': called(text, { structuredContent: { answer: 42 } }),
  'tool-structured-any': called(text, { structuredContent: [42] }),
  'audio-in-prompt': prompted(audio),
  'resource-link-in-prompt': prompted(link),
  'completion-context': {
    kind: 'request',
    method: Method.complete,
    value: {
      ref: { type: 'ref/prompt', name: 'a' },
      argument: { name: 'b', value: '' },
      context: { arguments: { c: 'd' } },
    },
  },
  'elicitation-form': form({ type: 'string' }),
  'elicitation-url': {
    kind: 'question',
    method: Method.elicit,
    value: { mode: 'url', message: 'Sign in', url: 'https://example.com/' },
  },
  'elicitation-multi-select': form({ type: 'array', items: { type: 'string', enum: ['a', 'b'] } }),
  'elicitation-titled-enum': form({ type: 'string', oneOf: [{ const: 'a', title: 'A' }] }),
  'sampling-tools': {
    kind: 'question',
    method: Method.createMessage,
    value: {
      messages: [{ role: 'user', content: text }],
      maxTokens: 10,
      tools: [{ name: 'a', inputSchema: { type: 'object' } }],
    },
  },
  'result-type': called(text),
  'json-rpc-batch': { kind: 'conversation', instead: 'single messages, answered together' },
};
