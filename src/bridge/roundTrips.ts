import { fail, reply, withParams } from '../protocol/frame.ts';
import { ErrorCode } from '../protocol/errorCodes.ts';
import { removeMember } from '../protocol/rawEdit.ts';
import { getMember, membersOf, type RawJson } from '../protocol/rawJson.ts';
import type { Revision } from '../protocol/revision.ts';
import type { DegradePolicy } from '../translate/policy.ts';
import { mayAsk, resultTypeOf } from '../translate/results/completion.ts';
import { failureFrame, type CallOutcome } from './callOutcome.ts';
import type { Call } from './connection.ts';
import type { Exchange, SessionPort } from './exchange.ts';
import type { ModernServer, OpenedUpstream } from './modernServer.ts';
import type { Caller, ModernUpstream, SharedListener } from './modernUpstream.ts';
import { tellClient } from './progress.ts';
import { askClient } from './questions.ts';
import type { ModernTasks } from './tasks/modernTasks.ts';

export interface RoundTripsOptions {
  readonly server: Revision;
  readonly modern: ModernServer;
  readonly session: SessionPort;
  readonly tasks: ModernTasks;
  readonly policy: () => DegradePolicy;
  readonly caller: () => Caller;
  readonly shared: SharedListener;
  /** The connection that is open, joined. */
  readonly current: () => ModernUpstream | undefined;
  /** Opens and joins one. */
  readonly open: () => Promise<OpenedUpstream>;
}

/** A request on its way. */
interface Trip {
  readonly exchange: Exchange;
  readonly params: RawJson | undefined;
  /** Counts how often it goes out because the server has asked for something. */
  readonly round: number;
  /** Whether something was put right in this round, and it goes out for the second time. */
  readonly isRepaired: boolean;
}

/** How often a server may ask in the course of one request. */
const MAX_ROUNDS = 10;
/** Before a request is repeated for a server that asked for nothing but time. */
const PAUSE_MS = 250;

/**
 * The requests of one client of the legacy era at a modern server: what the server asks for is asked of the client, and the
 * request goes out again with the answers, until there is a result (2026-07-28, Multi Round-Trip Requests).
 */
export class RoundTrips {
  readonly #options: RoundTripsOptions;

  constructor(options: RoundTripsOptions) {
    this.#options = options;
  }

  /** Answers a request, which goes to the server with these parameters. */
  start(exchange: Exchange, params: RawJson | undefined): void {
    this.#send({ exchange, params, round: 1, isRepaired: false });
  }

  #send(trip: Trip): void {
    const current = this.#options.current();
    if (current !== undefined) {
      this.#call(current, trip);
      return;
    }
    const { exchange } = trip;
    void this.#options.open().then((opened) => {
      if ('upstream' in opened) this.#call(opened.upstream, trip);
      else exchange.respond(fail(exchange.request, ErrorCode.internalError, opened.failure));
    });
  }

  #call(upstream: ModernUpstream, trip: Trip): void {
    const { exchange, params } = trip;
    if (exchange.isOver) return;
    const { caller, tasks, shared } = this.#options;
    const request = params === undefined ? exchange.request : withParams(exchange.request, params);
    const call: Call = upstream.call(
      request,
      { ...caller(), client: tasks.clientFor(exchange.request) },
      {
        onNotification: (frame) => tellClient(exchange, frame),
        onOutcome: (outcome) => {
          const repair = trip.isRepaired ? undefined : this.#repair(upstream, exchange, outcome);
          if (repair === undefined) this.#settle(upstream, trip, outcome);
          else void repair.then(() => this.#call(upstream, { ...trip, isRepaired: true }));
        },
      },
      shared,
    );
    exchange.onCancel((reason) => call.cancel(reason));
  }

  /** Puts right what a request met, before it is sent once more; undefined where nothing can be. */
  #repair(
    upstream: ModernUpstream,
    { request }: Exchange,
    outcome: CallOutcome,
  ): Promise<void> | undefined {
    if (outcome.kind !== 'response' || outcome.frame.error === undefined) return undefined;
    const { error } = outcome.frame;
    const { tasks, modern, caller, session } = this.#options;
    switch (error.code) {
      case ErrorCode.missingRequiredClientCapability:
        return tasks.isDemand(request, error) ? Promise.resolve() : undefined;
      case ErrorCode.headerMismatch:
        return modern.relearn(upstream, caller());
      case ErrorCode.unsupportedProtocolVersion:
        return modern.renegotiate(upstream, session.client);
      default:
        return undefined;
    }
  }

  #settle(upstream: ModernUpstream, trip: Trip, outcome: CallOutcome): void {
    const { exchange } = trip;
    if (outcome.kind !== 'response') {
      exchange.respond(failureFrame(exchange.request, outcome));
      return;
    }
    const { frame } = outcome;
    if (frame.error?.code === ErrorCode.missingRequiredClientCapability) {
      const hint = `The server needs a capability this client does not have: ${frame.error.message}`;
      exchange.raise({ feature: 'client-capability', path: '', hint });
    }
    const asks =
      frame.error === undefined &&
      mayAsk(exchange.request.method) &&
      resultTypeOf(frame.result) === 'input_required';
    if (asks) void this.#ask(trip, frame.result);
    else this.#options.tasks.settle(upstream, exchange, frame);
  }

  async #ask({ exchange, params, round }: Trip, inputRequired: RawJson): Promise<void> {
    const { request } = exchange;
    if (round > MAX_ROUNDS) {
      const message = `The server asked for input more than ${MAX_ROUNDS} times without finishing ${request.method}; the bridge gave up.`;
      exchange.respond(fail(request, ErrorCode.internalError, message));
      return;
    }
    const asked = getMember(inputRequired, 'inputRequests');
    if (asked === undefined || membersOf(asked).length === 0) await pause(PAUSE_MS);
    const base = params && removeMember(removeMember(params, 'inputResponses'), 'requestState');
    const { server, session, policy } = this.#options;
    const answers = await askClient(inputRequired, base, exchange, {
      server,
      client: session.client,
      policy: policy(),
    });
    if (exchange.isOver) return;
    switch (answers.kind) {
      case 'answered':
        this.#send({ exchange, params: answers.params, round: round + 1, isRepaired: false });
        return;
      case 'refused':
        exchange.refuse(answers.refusal);
        return;
      case 'failed':
        exchange.respond(reply(request, answers.frame));
    }
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
