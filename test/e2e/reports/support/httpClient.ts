import type { Message } from '../../../support/rawClient.ts';
import { initializeLine, type Setup } from './stage.ts';

/** One answer over HTTP: its status and the messages in it as they were written. */
export interface HttpAnswer {
  readonly status: number;
  readonly contentType: string;
  readonly lines: readonly string[];
  readonly messages: readonly Message[];
}

/** A client over HTTP without a protocol of its own. */
export class HttpClient {
  readonly #url: string;
  readonly #headers: Record<string, string> = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };

  constructor(url: string) {
    this.#url = url;
  }

  /** Posts a body as it is given and reads all of the answer. */
  async post(body: string | Buffer): Promise<HttpAnswer> {
    const bytes = typeof body === 'string' ? body : new Uint8Array(body);
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: this.#headers,
      body: bytes,
    });
    const session = response.headers.get('mcp-session-id');
    if (session !== null) this.#headers['mcp-session-id'] = session;
    const contentType = response.headers.get('content-type') ?? '';
    const text = await response.text();
    const lines = contentType.startsWith('text/event-stream') ? eventsIn(text) : [text];
    const messages = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Message);
    return { status: response.status, contentType, lines, messages };
  }

  /** Opens a session; gives the answer to `initialize`. */
  async open(setup: Setup = {}): Promise<Message> {
    const answer = await this.post(initializeLine(setup));
    const opened = answer.messages.at(-1);
    if (opened === undefined) throw new Error(`HTTP ${answer.status} without an answer`);
    if (opened.error === undefined) {
      await this.post('{"jsonrpc":"2.0","method":"notifications/initialized"}');
    }
    return opened;
  }

  /** Sends a request and gives its response. */
  async request(id: number, method: string, params?: object): Promise<Message> {
    const { messages } = await this.post(JSON.stringify({ jsonrpc: '2.0', id, method, params }));
    const response = messages.find((message) => message.id === id && message.method === undefined);
    if (response === undefined) throw new Error(`No response to ${method}`);
    return response;
  }
}

function eventsIn(text: string): string[] {
  return text.split('\n\n').flatMap((event) => {
    const data = event.split('\n').filter((line) => line.startsWith('data:'));
    return data.length === 0 ? [] : [data.map((line) => line.slice(5).trimStart()).join('\n')];
  });
}
