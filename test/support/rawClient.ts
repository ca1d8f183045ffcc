import type { Readable, Writable } from 'node:stream';

import { until } from './until.ts';

/** One message as JavaScript reads it; where the bytes matter, look at the line. */
export interface Message {
  readonly jsonrpc?: unknown;
  readonly id?: unknown;
  readonly method?: string;
  readonly params?: Members;
  readonly result?: Members;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

export type Members = Readonly<Record<string, unknown>>;

/** A client without a protocol of its own: writes lines as they are given and keeps those it reads. */
export class RawClient {
  /** All that was read so far, line by line. */
  readonly lines: string[] = [];
  readonly #output: Writable;
  #rest: Buffer[] = [];

  constructor(input: Readable, output: Writable) {
    this.#output = output;
    output.on('error', () => undefined);
    input.on('data', (chunk: Buffer) => this.#read(chunk));
  }

  write(line: string | Buffer): void {
    this.#output.write(line);
    this.#output.write('\n');
  }

  send(message: Members): void {
    this.write(JSON.stringify({ jsonrpc: '2.0', ...message }));
  }

  /** No more will be written. */
  end(): void {
    this.#output.end();
  }

  /** Everything read so far, but for lines that are no message object. */
  get messages(): Message[] {
    return this.lines.map(parseLine).filter((message) => message !== undefined);
  }

  /** What the server has told or asked by this method so far. */
  heard(method: string): Message[] {
    return this.messages.filter((message) => message.method === method);
  }

  /** The first line that fits, once it is there. */
  async line(
    fits: (message: Message, line: string) => boolean,
    withinMs?: number,
  ): Promise<string> {
    const find = (): string | undefined =>
      this.lines.find((line) => {
        const message = parseLine(line);
        return message !== undefined && fits(message, line);
      });
    await until(
      () => find() !== undefined,
      withinMs,
      () => `Read: ${this.#sample()}`,
    );
    return find() ?? '';
  }

  async message(fits: (message: Message) => boolean, withinMs?: number): Promise<Message> {
    return JSON.parse(await this.line(fits, withinMs)) as Message;
  }

  /** The response to a request, as it was written; `id` counts with its type. */
  responseLine(id: unknown, withinMs?: number): Promise<string> {
    return this.line((message) => isResponse(message) && message.id === id, withinMs);
  }

  async response(id: unknown, withinMs?: number): Promise<Message> {
    return JSON.parse(await this.responseLine(id, withinMs)) as Message;
  }

  /** Sends a request and waits for its response. */
  async request(id: number | string, method: string, params?: Members): Promise<Message> {
    this.send({ id, method, ...(params !== undefined && { params }) });
    return this.response(id);
  }

  responses(id: unknown): Message[] {
    return this.messages.filter((message) => isResponse(message) && message.id === id);
  }

  #read(chunk: Buffer): void {
    let from = 0;
    for (let end = chunk.indexOf(10); end >= 0; end = chunk.indexOf(10, from)) {
      this.lines.push(Buffer.concat([...this.#rest, chunk.subarray(from, end)]).toString('utf8'));
      this.#rest = [];
      from = end + 1;
    }
    if (from < chunk.length) this.#rest.push(chunk.subarray(from));
  }

  #sample(): string {
    return this.lines.map((line) => line.slice(0, 300)).join('\n');
  }
}

function isResponse(message: Message): boolean {
  return message.method === undefined && ('result' in message || 'error' in message);
}

/** The message on a line; undefined where there is none. Long lines are not parsed twice. */
function parseLine(line: string): Message | undefined {
  const known = parsed.get(line);
  if (known !== undefined) return known;
  try {
    const value: unknown = JSON.parse(line);
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return undefined;
    parsed.set(line, value);
    return value;
  } catch {
    return undefined;
  }
}

const parsed = new Map<string, Message>();
