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
  /** Every message read so far, as it was written, on whichever stream. */
  readonly lines: string[] = [];
  readonly #url: string;
  readonly #headers: Record<string, string> = {
    accept: 'application/json, text/event-stream',
    'content-type': 'application/json',
  };

  constructor(url: string) {
    this.#url = url;
  }

  /** Posts a body as it is given and reads all of the answer; an abort closes the connection. */
  async post(body: string | Buffer, signal?: AbortSignal): Promise<HttpAnswer> {
    const bytes = typeof body === 'string' ? body : new Uint8Array(body);
    const response = await fetch(this.#url, {
      method: 'POST',
      headers: this.#headers,
      body: bytes,
      ...(signal !== undefined && { signal }),
    });
    const session = response.headers.get('mcp-session-id');
    if (session !== null) this.#headers['mcp-session-id'] = session;
    const contentType = response.headers.get('content-type') ?? '';
    const lines = await this.#read(response);
    const messages = lines.filter((line) => line !== '').map((line) => JSON.parse(line) as Message);
    return { status: response.status, contentType, lines, messages };
  }

  /** Opens the standing stream, once it stands; what comes on it is found in `lines`. */
  async listen(): Promise<void> {
    const headers = { ...this.#headers, accept: 'text/event-stream' };
    const response = await fetch(this.#url, { headers });
    if (response.status !== 200) throw new Error(`HTTP ${response.status} to GET`);
    // It ends with the session, or with the program.
    void this.#read(response).catch(() => undefined);
  }

  /** Ends the session; gives the status. */
  async delete(): Promise<number> {
    const response = await fetch(this.#url, { method: 'DELETE', headers: this.#headers });
    await response.text();
    return response.status;
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

  /** Reads an answer to its end, and tells of each event as soon as it is whole. */
  async #read(response: Response): Promise<string[]> {
    if (response.headers.get('content-type')?.startsWith('text/event-stream') !== true) {
      const text = await response.text();
      if (text !== '') this.lines.push(text);
      return [text];
    }
    const lines: string[] = [];
    const decoder = new TextDecoder();
    let rest = '';
    const body: AsyncIterable<Uint8Array> | null = response.body;
    for await (const chunk of body ?? []) {
      rest += decoder.decode(chunk, { stream: true });
      const end = rest.lastIndexOf('\n\n') + 2;
      if (end === 1) continue;
      const whole = eventsIn(rest.slice(0, end));
      rest = rest.slice(end);
      lines.push(...whole);
      this.lines.push(...whole);
    }
    return lines;
  }
}

function eventsIn(text: string): string[] {
  return text.split('\n\n').flatMap((event) => {
    const data = event.split('\n').filter((line) => line.startsWith('data:'));
    return data.length === 0 ? [] : [data.map((line) => line.slice(5).trimStart()).join('\n')];
  });
}
