import type { BridgeEvent, ServerState } from '../../bridge/events.ts';
import type { Log } from '../log.ts';

/** Writes to the log what a bridge tells; `line` makes a line of a text, without secrets and hidden characters. */
export function logEvent(log: Log, event: BridgeEvent, line: (text: string) => string): void {
  switch (event.kind) {
    case 'state':
      if ('message' in event.state) log.error(line(event.state.message));
      else log.info(line(inWords(event.state)));
      return;
    case 'stderr':
      log.info(line(event.line));
      return;
    case 'refusal':
      log.warn(line(`refused ${event.refusal.feature}: ${event.refusal.hint}`));
      return;
    case 'warning':
      log.warn(line(event.message));
      return;
    case 'report':
      for (const { feature, path, before, after, loss } of event.steps) {
        const text = line(`${feature} at ${path}: ${before} -> ${after}`);
        if (loss === 'none') log.debug(text);
        else log.warn(text);
      }
      return;
    case 'session':
      if (event.client !== undefined) {
        log.debug(line(`${event.client.name} is connected, revision ${event.client.revision}`));
      }
      return;
    case 'tools':
      log.debug(line(`${event.tools.length} tools`));
  }
}

function inWords(state: Exclude<ServerState, { message: string }>): string {
  return state.kind === 'running'
    ? `running, revision ${state.revision}: ${state.evidence}`
    : state.kind;
}
