import { readCancellation } from '../protocol/cancellation.ts';
import {
  answer,
  fail,
  makeError,
  withParams,
  type Frame,
  type IdToken,
  type NotifyFrame,
  type RequestFrame,
  type ResponseFrame,
} from '../protocol/frame.ts';
import { ErrorCode } from '../protocol/errorCodes.ts';
import { Method } from '../protocol/methods.ts';
import { setMember } from '../protocol/rawEdit.ts';
import { getAt, getMember, stringOf, toRaw, type RawJson } from '../protocol/rawJson.ts';
import { profileOf, type Profile } from '../protocol/profile.ts';
import type { Noise, ServerChannel, ServerChannelListener } from '../transports/transport.ts';
import { AnswerBatch } from './answerBatch.ts';
import type { ClientIdentity } from './client.ts';
import { ClientExchange } from './clientExchange.ts';
import { ClientQuestions } from './clientQuestions.ts';
import type { Asked, SessionPort } from './exchange.ts';
import { initializeResult, revisionFor } from './initializeResult.ts';
import { isListChange, ListWatcher } from './listWatcher.ts';
import { ownExchange, walkList } from './listWalk.ts';
import { ResultTranslator } from './resultTranslator.ts';
import { answering } from './serverIdentity.ts';
import type { SessionHost } from './sessionHost.ts';
import type { Route } from './route.ts';

/** What came before the session was open; a request can still be cancelled. */
interface Waiting {
  readonly resume: () => void;
  readonly id?: IdToken;
  readonly skip?: () => void;
}

type State =
  | { readonly kind: 'new' }
  /** `initialize` is under way; what the client sends meanwhile waits. */
  | { readonly kind: 'opening'; readonly waiting: Waiting[] }
  | { readonly kind: 'open'; readonly route: Route; readonly translator: ResultTranslator }
  | { readonly kind: 'closed' };

const ANSWERS_ONLY =
  'A client over ZAP gets answers alone: it is asked nothing, and told nothing of progress, logs and changes.';

/** The handshake of a client that no question can reach. */
function askedNothing(initialize: RequestFrame): RequestFrame {
  const params = initialize.params ?? toRaw({});
  return withParams(initialize, setMember(params, 'capabilities', toRaw({})));
}

type Deliver = (frame: ResponseFrame) => void;

/** One client of the legacy era: its handshake, its requests and their one answer each, its questions. */
export class DownstreamSession implements ServerChannelListener {
  readonly id: string;
  readonly #host: SessionHost;
  readonly #channel: ServerChannel;
  readonly #questions: ClientQuestions;
  readonly #exchanges = new Map<IdToken, ClientExchange>();
  readonly #lists: ListWatcher;
  #state: State = { kind: 'new' };
  #profile: Profile;

  constructor(id: string, host: SessionHost, channel: ServerChannel) {
    this.id = id;
    this.#host = host;
    this.#channel = channel;
    this.#profile = profileOf('2025-11-25', host.reader);
    this.#questions = new ClientQuestions((frame, relatedTo) => this.#send(frame, relatedTo));
    this.#lists = new ListWatcher({
      fetch: (method) => this.#fetchList(method),
      announce: (method) => this.#send({ kind: 'notify', method }),
      onLoop: (method) =>
        host.warn('list-changed', `The server announces changes of ${method} that change nothing.`),
    });
  }

  /** The policy changed: what the client was shown of the tools may differ now. */
  policyChanged(): void {
    if (this.#state.kind !== 'open') return;
    if (getMember(this.#state.route.server.capabilities, 'tools') === undefined) return;
    this.#send({ kind: 'notify', method: Method.toolsChanged });
  }

  onFrame(frame: Frame): void {
    const skip = (): void => {
      if (frame.kind === 'request') this.#channel.drop(frame.id);
    };
    this.#receive(frame, (response) => this.#send(response, response.id), skip);
  }

  onBatch(frames: readonly Frame[], reply: (answers: readonly Frame[]) => void): void {
    if (!this.#profile.features.has('json-rpc-batch') || frames.length === 0) {
      const message =
        frames.length === 0
          ? 'An empty batch asks for nothing.'
          : `Batches exist in revision 2025-03-26 only; this session speaks ${this.#profile.revision}.`;
      const error = makeError(ErrorCode.invalidRequest, message);
      reply([{ kind: 'response', id: undefined, error }]);
      return;
    }
    const requests = frames.filter((frame) => frame.kind === 'request');
    const batch = new AnswerBatch(requests.length, reply);
    for (const frame of frames) this.#receive(frame, batch.deliver, batch.skip);
  }

  /** A lost HTTP response stream is no cancellation in the legacy era; the answer then goes to nobody. */
  onAbandoned(): void {
    return;
  }

  onUndeliverable(id: IdToken): void {
    this.#questions.fail(id);
  }

  onNoise(noise: Noise): void {
    this.#host.warn(
      'client',
      `The client wrote what is no message (${noise.reason}): ${noise.sample}`,
    );
  }

  onClose(): void {
    const before = this.#state;
    if (before.kind === 'closed') return;
    // First of all, so that nothing that ends now is told to a client that has gone.
    this.#state = { kind: 'closed' };
    for (const exchange of [...this.#exchanges.values()]) exchange.cancel(undefined);
    this.#questions.endAll();
    this.#lists.close();
    if (before.kind === 'open') before.route.close();
    this.#host.onEnd(this.id);
  }

  /** Ends the session from the bridge's side. */
  close(): void {
    this.#channel.close();
    this.onClose();
  }

  #send(frame: Frame, relatedTo?: IdToken): void {
    if (this.#state.kind !== 'closed') this.#channel.send(frame, relatedTo);
  }

  #receive(frame: Frame, deliver: Deliver, skip: () => void): void {
    switch (frame.kind) {
      case 'request':
        this.#onRequest(frame, deliver, skip);
        return;
      case 'notify':
        this.#onNotify(frame);
        return;
      case 'response':
        // An answer to a question that was withdrawn in the meantime is nobody's any more.
        this.#questions.settle(frame);
    }
  }

  #onRequest(frame: RequestFrame, deliver: Deliver, skip: () => void): void {
    if (this.#exchanges.has(frame.id)) {
      const message = `The id ${frame.id} is that of a request still open.`;
      deliver(fail(frame, ErrorCode.invalidRequest, message));
      return;
    }
    if (frame.method === Method.initialize) {
      void this.#initialize(frame, deliver);
      return;
    }
    switch (this.#state.kind) {
      case 'new':
        deliver(
          fail(frame, ErrorCode.invalidRequest, `Send \`initialize\` before ${frame.method}.`),
        );
        return;
      case 'opening':
        this.#state.waiting.push({
          id: frame.id,
          resume: () => this.#onRequest(frame, deliver, skip),
          skip,
        });
        return;
      case 'open':
        this.#forward(frame, this.#state.route, this.#state.translator, deliver, skip);
        return;
      case 'closed':
        return;
    }
  }

  async #initialize(received: RequestFrame, deliver: Deliver): Promise<void> {
    const isReader = this.#channel.answersOnly === true;
    const frame = isReader ? askedNothing(received) : received;
    if (this.#state.kind !== 'new') {
      deliver(fail(frame, ErrorCode.invalidRequest, 'This session is initialized already.'));
      return;
    }
    const opening: State = { kind: 'opening', waiting: [] };
    this.#state = opening;
    const revision = revisionFor(frame.params);
    this.#profile = profileOf(revision, this.#host.reader);
    const client: ClientIdentity = {
      profile: this.#profile,
      info: frame.params && getMember(frame.params, 'clientInfo'),
      capabilities: (frame.params && getMember(frame.params, 'capabilities')) ?? toRaw({}),
    };
    const port: SessionPort = {
      client,
      notify: (notification) => this.#notify(notification),
      ask: (question) => this.#ask(question),
      note: (question, steps) => this.#onceOpen((to) => to.report(question, steps)),
      raise: (question, refusal) => this.#onceOpen((to) => to.refused(question, refusal)),
    };
    const connected = await this.#host.connect(port, frame, () => this.#lists.missed());
    if (this.#state !== opening) {
      if ('route' in connected) connected.route.close();
      return;
    }
    if ('failure' in connected) {
      this.#state = { kind: 'new' };
      deliver(fail(frame, ErrorCode.internalError, connected.failure));
    } else {
      const translator = this.#open(connected.route, client);
      const { server } = connected.route;
      const served = isReader ? answering(server).server : server;
      if (isReader) this.#host.warn('client', ANSWERS_ONLY);
      const { result, steps } = initializeResult(served, revision, this.#host.name);
      translator.report(frame, steps);
      deliver(answer(frame, result));
    }
    for (const { resume } of opening.waiting) resume();
  }

  #open(route: Route, client: ClientIdentity): ResultTranslator {
    const translator = new ResultTranslator(
      this.id,
      this.#host,
      route,
      this.#profile,
      (list, entries) => this.#lists.hold(list, entries),
    );
    this.#state = { kind: 'open', route, translator };
    const name = (client.info && stringOf(getAt(client.info, ['name']))) ?? 'unnamed client';
    const info = { name, revision: this.#profile.revision };
    this.#host.emit({ kind: 'session', session: this.id, client: info });
    return translator;
  }

  #forward(
    frame: RequestFrame,
    route: Route,
    translator: ResultTranslator,
    deliver: Deliver,
    skip: () => void,
  ): void {
    const { request: lowered, refusal } = translator.toServer(frame);
    const exchange = new ClientExchange(
      lowered,
      {
        translate: (request, result) => translator.toClient(request, result),
        onRefusal: (request, refusal) => translator.refused(request, refusal),
        onSteps: (request, steps) => translator.report(request, steps),
        refusalData: (refusal) => translator.refusalData(refusal),
        notify: (notification) => this.#send(notification, frame.id),
        ask: (question) => this.#questions.ask(question, frame.id),
      },
      (response) => {
        this.#exchanges.delete(frame.id);
        if (response === undefined) skip();
        else deliver(response);
      },
    );
    this.#exchanges.set(frame.id, exchange);
    if (refusal === undefined) route.request(exchange);
    else exchange.refuse(refusal);
  }

  #onNotify(frame: NotifyFrame): void {
    if (frame.method === Method.cancelled) {
      const cancelled = readCancellation(frame);
      if (cancelled !== undefined) this.#cancel(cancelled.id, cancelled.reason);
      return;
    }
    if (this.#state.kind === 'opening') {
      this.#state.waiting.push({ resume: () => this.#onNotify(frame) });
    }
    if (this.#state.kind === 'open') this.#state.route.notify(frame);
  }

  #cancel(id: IdToken, reason: RawJson | undefined): void {
    this.#exchanges.get(id)?.cancel(reason);
    if (this.#state.kind !== 'opening') return;
    const { waiting } = this.#state;
    const index = waiting.findIndex((each) => each.id === id);
    if (index >= 0) waiting.splice(index, 1)[0]?.skip?.();
  }

  /** A notification of no request in particular. */
  #notify(frame: NotifyFrame): void {
    // What the server says before the client knows it is there is told right after the handshake.
    if (this.#state.kind === 'opening') {
      this.#state.waiting.push({ resume: () => this.#notify(frame) });
    } else if (isListChange(frame.method)) this.#lists.changed(frame.method);
    else this.#send(frame);
  }

  /** A question of no request in particular; what is asked before the client knows that it is there, waits. */
  #ask(question: RequestFrame): Asked {
    if (this.#state.kind !== 'opening') return this.#questions.ask(question, undefined);
    const { waiting } = this.#state;
    const opened = new Promise<void>((resume) => waiting.push({ resume }));
    return this.#questions.askOnce(opened, question);
  }

  #onceOpen(run: (translator: ResultTranslator) => void): void {
    if (this.#state.kind === 'opening') {
      this.#state.waiting.push({ resume: () => this.#onceOpen(run) });
    }
    if (this.#state.kind === 'open') run(this.#state.translator);
  }

  async #fetchList(method: string): Promise<readonly Buffer[] | undefined> {
    if (this.#state.kind !== 'open') return undefined;
    const { route } = this.#state;
    const walk = await walkList(
      method,
      (own) => new Promise((resolve) => route.request(ownExchange(own, resolve))),
      (message) => this.#host.warn('pagination', message),
    );
    return walk.kind === 'list' ? walk.entries : undefined;
  }
}
