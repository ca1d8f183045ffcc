import type { RequestFrame } from '../../../../src/protocol/frame.ts';
import type { ServerChannelListener } from '../../../../src/transports/transport.ts';
import type { Members, Message } from '../../../support/rawClient.ts';
import { until } from '../../../support/until.ts';
import {
  frameOf,
  legacy,
  messageOf,
  type FakeServer,
  type Script,
  type Stage,
} from '../modern/stage.ts';

export const TASKS = 'io.modelcontextprotocol/tasks';
export const RELATED = 'io.modelcontextprotocol/related-task';
export const EXTENSION = { extensions: { [TASKS]: {} } };
export const FORM = { message: 'Who?', requestedSchema: { type: 'object', properties: {} } };
export const DONE = { content: [{ type: 'text', text: 'done' }] };

/** A client of the legacy era on a channel of its own. */
export class Session {
  readonly messages: Message[] = [];
  readonly #listener: ServerChannelListener;

  constructor(stage: Stage) {
    this.#listener = stage.bridge.accept(
      {
        send: (frame) => this.messages.push(messageOf(frame)),
        close: () => undefined,
        drop: () => undefined,
      },
      frameOf({ id: 0, method: 'initialize' }) as RequestFrame,
    );
  }

  static async open(
    stage: Stage,
    capabilities: Members = {},
    protocolVersion = '2025-11-25',
  ): Promise<Session> {
    const session = new Session(stage);
    const clientInfo = { name: 'old', version: '1' };
    await session.request(0, 'initialize', { protocolVersion, capabilities, clientInfo });
    session.send({ method: 'notifications/initialized' });
    return session;
  }

  send(message: Members): void {
    this.#listener.onFrame(frameOf(message));
  }

  close(): void {
    this.#listener.onClose();
  }

  /** The first message that fits, once it is there. */
  async message(fits: (message: Message) => boolean): Promise<Message> {
    return until(
      () => this.messages.find(fits),
      undefined,
      () => JSON.stringify(this.messages),
    );
  }

  response(id: unknown): Promise<Message> {
    return this.message((message) => message.method === undefined && message.id === id);
  }

  heard(method: string): Promise<Message> {
    return this.message((message) => message.method === method);
  }

  request(id: number, method: string, params: Members = {}): Promise<Message> {
    this.send({ id, method, params });
    return this.response(id);
  }

  /** Answers the one question that is asked by this method. */
  async answer(method: string, result: Members): Promise<Message> {
    const question = await this.heard(method);
    this.send({ id: question.id, result });
    return question;
  }
}

/** A task of the extension, as a server writes it. */
export function extensionTask(status: string, more: Members = {}): Members {
  return {
    taskId: 't1',
    status,
    createdAt: '2026-07-28T10:00:00Z',
    lastUpdatedAt: '2026-07-28T10:00:01Z',
    ttlMs: 60_000,
    pollIntervalMs: 20,
    ...more,
  };
}

/** A task of 2025-11-25, as a server writes it. */
export function legacyTask(status: string, more: Members = {}): Members {
  return {
    taskId: 't1',
    status,
    createdAt: '2025-11-25T10:00:00Z',
    lastUpdatedAt: '2025-11-25T10:00:01Z',
    ttl: 60_000,
    pollInterval: 20,
    ...more,
  };
}

/** A modern server with the extension: its call becomes a task that goes through these states, one at each look. */
export function extensionServer(
  states: readonly Members[],
  more: Script = () => undefined,
  seed: Members = extensionTask('working'),
): Script {
  let looks = 0;
  return (message: Message, server: FakeServer) => {
    const own = more(message, server);
    if (own !== undefined) return own;
    switch (message.method) {
      case 'server/discover':
        return {
          resultType: 'complete',
          supportedVersions: ['2026-07-28'],
          capabilities: { tools: {}, ...EXTENSION },
          ttlMs: 0,
          cacheScope: 'private',
        };
      case 'tools/list':
        return {
          resultType: 'complete',
          tools: [{ name: 'slow', inputSchema: { type: 'object' } }],
          ttlMs: 0,
          cacheScope: 'private',
        };
      case 'tools/call':
        return { resultType: 'task', ...seed };
      case 'tasks/get': {
        const state = states[Math.min(looks++, states.length - 1)] ?? {};
        return 'code' in state ? state : { resultType: 'complete', ...state };
      }
      case 'tasks/update':
      case 'tasks/cancel':
        return { resultType: 'complete' };
      default:
        return undefined;
    }
  };
}

/** What a scripted server of 2025-11-25 with tasks does beyond its handshake. */
export interface LegacyTaskScript {
  readonly support?: 'forbidden' | 'optional' | 'required' | undefined;
  /** What each look shows, one after the other; the last one stays. */
  readonly states?: readonly Members[];
  /** What `tasks/result` comes to, when `end` has been called: at once where it is left out. */
  readonly result?: Members;
  readonly more?: Script;
  readonly revision?: string;
}

/** A server of 2025-11-25 whose tool `slow` can be called as a task; `tasks/result` waits for a terminal look. */
export function legacyTaskServer(script: LegacyTaskScript = {}): Script {
  const { support = 'required', states = [legacyTask('completed')], more } = script;
  const result = script.result ?? { ...DONE, _meta: { [RELATED]: { taskId: 't1' } } };
  const capabilities = {
    tools: { listChanged: true },
    tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } },
  };
  let looks = 0;
  const waiting: unknown[] = [];
  const state = (): Members => states[Math.min(looks, states.length - 1)] ?? {};
  const isOver = (): boolean =>
    ['completed', 'failed', 'cancelled'].includes(String(state()['status']));
  const outcome = 'code' in result ? { error: result } : { result };
  return legacy(
    capabilities,
    (message, server) => {
      const own = more?.(message, server);
      if (own !== undefined) return own;
      switch (message.method) {
        case 'tools/list': {
          const inputSchema = { type: 'object' };
          const execution = { taskSupport: support };
          return {
            tools: [
              { name: 'slow', inputSchema, execution },
              { name: 'quick', inputSchema },
            ],
          };
        }
        case 'tools/call':
          if (message.params?.['task'] === undefined) {
            return support === 'required' && message.params?.['name'] === 'slow'
              ? { code: -32601, message: 'Tool slow requires a task' }
              : { content: [{ type: 'text', text: 'plain' }] };
          }
          return { task: legacyTask('working') };
        case 'tasks/get': {
          const seen = state();
          for (const id of isOver() ? waiting.splice(0) : []) server.say({ id, ...outcome });
          looks++;
          return seen;
        }
        case 'tasks/result':
          if (isOver()) return result;
          waiting.push(message.id);
          return undefined;
        case 'tasks/cancel':
          return isOver()
            ? { code: -32602, message: 'Cannot cancel task: already in terminal status' }
            : legacyTask('cancelled');
        default:
          return undefined;
      }
    },
    script.revision,
  );
}

/** A question of the server's in the course of the task. */
export function ask(server: FakeServer, id: string, stream?: number, more: Members = {}): void {
  const params = { ...FORM, _meta: { [RELATED]: { taskId: 't1' } }, ...more };
  server.say({ id, method: 'elicitation/create', params }, stream);
}
