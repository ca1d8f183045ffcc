import { visible } from '../base/visibleText.ts';
import type { BridgeEvent } from '../bridge/events.ts';
import type { Refusal } from '../translate/report.ts';
import { LOG_LEVELS, type LogLevel } from './command.ts';

export type Log = (level: LogLevel, message: string) => void;

/**
 * Writes lines of at least the given level to stderr, where a client of the stdio transport expects a log. Whatever a
 * message holds, it is one line and drives no terminal.
 */
export function createLog(least: LogLevel, write: (line: string) => void): Log {
  const floor = LOG_LEVELS.indexOf(least);
  return (level, message) => {
    if (LOG_LEVELS.indexOf(level) >= floor) write(`mcp-rosetta: ${visible(message)}\n`);
  };
}

/** Puts what a bridge tells into log lines. */
export function logEvent(log: Log, server: string, event: BridgeEvent): void {
  const say: Log = (level, message) => log(level, `[${server}] ${message}`);
  switch (event.kind) {
    case 'report':
      for (const step of event.steps) {
        const place = `${event.tool ?? event.method} ${step.path}`.trimEnd();
        const level = step.loss === 'none' ? 'debug' : 'warning';
        say(level, `${step.feature}: ${place}: ${step.before} became ${step.after}`);
      }
      return;
    case 'refusal': {
      const { refusal, tool, method } = event;
      say('error', `refused ${tool ?? method} (${refusal.feature}): ${onCommandLine(refusal)}`);
      return;
    }
    case 'warning':
      // The first of its kind warns; the others are there for whoever looks for them.
      say(event.count === 1 ? 'warning' : 'info', event.message);
      return;
    case 'state':
      logState(say, event.state);
      return;
    case 'stderr':
      say('info', event.line);
      return;
    case 'session': {
      const { client, session } = event;
      if (client === undefined) say('debug', `session ${session} ended`);
      else say('debug', `session ${session}: ${client.name}, revision ${client.revision}`);
      return;
    }
    case 'tools':
      say('debug', `${event.tools.length} tools`);
  }
}

/** A refusal's hint with what to type where it says what to allow. */
function onCommandLine({ feature, hint }: Refusal): string {
  return hint.replaceAll(`allow "${feature}"`, `allow it with --degrade ${feature}`);
}

function logState(say: Log, state: Extract<BridgeEvent, { kind: 'state' }>['state']): void {
  switch (state.kind) {
    case 'running':
      say('info', `speaks ${state.revision} (${state.era} era: ${state.evidence})`);
      return;
    case 'needsSignIn':
    case 'failed':
      say('error', state.message);
      return;
    case 'signingIn':
    case 'starting':
    case 'stopped':
      say('debug', state.kind);
  }
}
