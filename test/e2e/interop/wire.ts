import type { Members } from './peer.ts';
import type { Schemas } from './schemas.ts';

export interface WireMessage {
  readonly id?: string | number;
  readonly method?: string;
  readonly params?: Members;
  readonly result?: Members;
  readonly error?: { readonly code: number; readonly message: string; readonly data?: unknown };
}

type Receive = (message: never, extra?: never) => void;

/** A transport of any SDK, as far as a tap must know it. */
interface Tapped {
  onmessage?: Receive | undefined;
  onerror?: ((error: Error) => void) | undefined;
  send(message: never, options?: never): Promise<void>;
}

/**
 * A tap on a transport of an SDK: keeps what passes, and holds every message of the bridge against the SDK's own
 * schemas. The transport stays the SDK's own object, whose class some of them look at.
 */
export class Wire {
  readonly sent: WireMessage[] = [];
  readonly received: WireMessage[] = [];
  readonly problems: string[] = [];
  readonly #schemas: Schemas;
  #leaving = false;

  constructor(transport: object, schemas: Schemas) {
    this.#schemas = schemas;
    const tapped = transport as Tapped;
    const send = tapped.send.bind(tapped);
    tapped.send = (message, options) => {
      this.sent.push(message);
      return send(message, options);
    };
    let receive: Receive | undefined;
    let complain: Tapped['onerror'];
    Object.defineProperties(tapped, {
      onmessage: {
        get: () => receive && this.#listening(receive),
        set: (to: typeof receive) => void (receive = to),
      },
      onerror: {
        get: () => complain && this.#hearing(complain),
        set: (to: typeof complain) => void (complain = to),
      },
    });
  }

  #listening(receive: Receive): Receive {
    return (message, extra) => {
      this.#check(message);
      this.received.push(message);
      receive(message, extra);
    };
  }

  #hearing(complain: (error: Error) => void): (error: Error) => void {
    return (error) => {
      // What a transport cannot parse it drops with an error; at the end its streams break, which is no one's fault.
      if (!this.#leaving) this.problems.push(String(error));
      complain(error);
    };
  }

  /** What breaks from here on breaks because the client goes. */
  leave(): void {
    this.#leaving = true;
  }

  /** What the bridge has said by this method so far, from the message of the given number on. */
  heard(method: string, from = 0): WireMessage[] {
    return this.received.slice(from).filter((message) => message.method === method);
  }

  /** The result that answered the last request of this method. */
  resultOf(method: string): Members | undefined {
    const id = this.sent.findLast((message) => message.method === method)?.id;
    return this.received.find((message) => isResponse(message) && message.id === id)?.result;
  }

  #check(message: WireMessage): void {
    const { id, method, params, result } = message;
    this.#expect('message', this.#schemas.message, message);
    if (method !== undefined) {
      const kind = id === undefined ? 'notification' : 'request';
      this.#expect(`${kind} ${method}`, this.#schemas[kind], { method, ...(params && { params }) });
      return;
    }
    if (result === undefined) return;
    const asked = this.sent.find((each) => each.method !== undefined && each.id === id);
    if (asked?.method === undefined) {
      this.problems.push(`An answer to nothing: ${JSON.stringify(message)}`);
      return;
    }
    const check = this.#schemas.results.get(asked.method);
    if (check !== undefined) this.#expect(`result of ${asked.method}`, check, result);
  }

  #expect(what: string, check: (value: unknown) => string | undefined, value: unknown): void {
    const problem = check(value);
    if (problem !== undefined) this.problems.push(`${what}: ${problem}\n${JSON.stringify(value)}`);
  }
}

function isResponse(message: WireMessage): boolean {
  return message.method === undefined;
}
