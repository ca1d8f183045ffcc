import type { BridgeEvent } from '../bridge/events.ts';

/** The lines of a report file: one for each step, each refusal and the first warning of each kind. */
export function reportLines(server: string, event: BridgeEvent): string[] {
  if (event.kind === 'report') {
    const { steps, kind, ...subject } = event;
    return steps.map((step) => JSON.stringify({ kind, server, ...subject, ...step }));
  }
  if (event.kind === 'refusal') {
    const { refusal, kind, ...subject } = event;
    return [JSON.stringify({ kind, server, ...subject, ...refusal })];
  }
  if (event.kind === 'warning' && event.count === 1) {
    const { kind, topic, message } = event;
    return [JSON.stringify({ kind, server, topic, message })];
  }
  return [];
}
