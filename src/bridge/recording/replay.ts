import { ErrorCode } from '../../protocol/errorCodes.ts';
import {
  fail,
  withId,
  withParams,
  type Frame,
  type IdToken,
  type NotifyFrame,
  type RequestFrame,
  type ResponseFrame,
} from '../../protocol/frame.ts';
import { canonical } from '../../protocol/canonical.ts';
import { Method } from '../../protocol/methods.ts';
import { removeMember, setMember } from '../../protocol/rawEdit.ts';
import { getAt, kindOf, toRaw, type RawJson } from '../../protocol/rawJson.ts';
import type { AcceptChannel, ServerChannel } from '../../transports/transport.ts';
import { ClientQuestions } from '../clientQuestions.ts';
import type { Entry } from './recording.ts';

/** One request of the recorded client, and all that the bridge said until it was answered. */
interface Scene {
  readonly request: RequestFrame;
  readonly said: (NotifyFrame | RequestFrame)[];
  response?: ResponseFrame;
  played: boolean;
}

/**
 * Answers clients with what a recorded client was answered: for each request the next recorded one of the same method and
 * params, and where none is left the last of them. The notifications and questions of its course come with it.
 */
export function replay(entries: readonly Entry[]): AcceptChannel {
  const scenes = scenesOf(entries);
  return (channel) => {
    const questions = new ClientQuestions((frame) => channel.send(frame));
    return {
      onFrame: (frame) => {
        if (frame.kind === 'request') void play(frame, scenes, channel, questions);
        if (frame.kind === 'response') questions.settle(frame);
      },
      onBatch: (frames, reply) =>
        void Promise.all(
          frames
            .filter(isRequest)
            .map((frame) => answerTo(frame, scenes, () => undefined, questions)),
        ).then(reply),
      onAbandoned: () => undefined,
      onUndeliverable: (id) => questions.fail(id),
      onNoise: () => undefined,
      onClose: () => questions.endAll(),
    };
  };
}

function isRequest(frame: Frame): frame is RequestFrame {
  return frame.kind === 'request';
}

async function play(
  request: RequestFrame,
  scenes: readonly Scene[],
  channel: ServerChannel,
  questions: ClientQuestions,
): Promise<void> {
  const tell = (frame: NotifyFrame): void => channel.send(frame, request.id);
  channel.send(await answerTo(request, scenes, tell, questions), request.id);
}

async function answerTo(
  request: RequestFrame,
  scenes: readonly Scene[],
  tell: (frame: NotifyFrame) => void,
  questions: ClientQuestions,
): Promise<ResponseFrame> {
  const scene = sceneFor(request, scenes);
  if (scene?.response === undefined) {
    const message = `The recording has no answer to ${request.method} with these params.`;
    return fail(request, ErrorCode.internalError, message);
  }
  scene.played = true;
  for (const frame of scene.said) {
    if (frame.kind === 'notify') tell(withToken(frame, request));
    else await questions.ask(frame, request.id).answer;
  }
  return withId(scene.response, request.id);
}

function sceneFor(request: RequestFrame, scenes: readonly Scene[]): Scene | undefined {
  const answered = scenes.filter(({ response }) => response !== undefined);
  const same = answered.filter((scene) => matches(scene.request, request));
  return same.find(({ played }) => !played) ?? same.at(-1);
}

/** Who asks, and under which token, is the new client's; `initialize` says nothing else. */
function matches(recorded: RequestFrame, request: RequestFrame): boolean {
  if (recorded.method !== request.method) return false;
  if (request.method === Method.initialize) return true;
  return salient(recorded) === salient(request);
}

function salient({ params }: RequestFrame): string {
  if (params === undefined || kindOf(params) !== 'object') return canonical(params ?? toRaw({}));
  return canonical(removeMember(params, '_meta'));
}

/** Progress goes under the new client's own token. */
function withToken(frame: NotifyFrame, request: RequestFrame): NotifyFrame {
  const token = request.params && getAt(request.params, ['_meta', 'progressToken']);
  if (frame.method !== Method.progress || frame.params === undefined || token === undefined) {
    return frame;
  }
  return withParams(frame, setMember(frame.params, 'progressToken', token));
}

function scenesOf(entries: readonly Entry[]): Scene[] {
  const scenes: Scene[] = [];
  const open = new Map<string, Scene>();
  for (const entry of entries) {
    if (entry.kind !== 'message' || entry.leg !== 'downstream') continue;
    const { frame, from, conversation } = entry;
    const key = (id: IdToken | undefined): string => `${conversation} ${id ?? ''}`;
    if (from === 'client') {
      if (frame.kind !== 'request') continue;
      const scene: Scene = { request: frame, said: [], played: false };
      scenes.push(scene);
      open.set(key(frame.id), scene);
    } else if (frame.kind === 'response') {
      const scene = open.get(key(frame.id));
      if (scene !== undefined) scene.response = frame;
      open.delete(key(frame.id));
    } else {
      courseOf(frame, conversation, open)?.said.push(frame);
    }
  }
  return scenes;
}

/** The request that something was said in the course of: the one whose token it has, else the latest of the client's. */
function courseOf(
  frame: NotifyFrame | RequestFrame,
  conversation: number,
  open: ReadonlyMap<string, Scene>,
): Scene | undefined {
  const own = [...open]
    .filter(([key]) => key.startsWith(`${conversation} `))
    .map(([, each]) => each);
  const token = frame.params && getAt(frame.params, ['progressToken']);
  const marked = own.find(({ request }) => token !== undefined && tokenOf(request)?.equals(token));
  return marked ?? own.at(-1);
}

function tokenOf({ params }: RequestFrame): RawJson | undefined {
  return params && getAt(params, ['_meta', 'progressToken']);
}
