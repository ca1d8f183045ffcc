/** Things that one revision can say and another cannot. These names are what a policy allows and a report shows. */
export const FEATURES = [
  'tool-annotations',
  'tool-audio-content',
  'tool-resource-link',
  'tool-structured-output',
  'tool-structured-any',
  'audio-in-prompt',
  'resource-link-in-prompt',
  'completion-context',
  'elicitation-form',
  'elicitation-url',
  'elicitation-multi-select',
  'elicitation-titled-enum',
  'sampling-tools',
  'result-type',
  'json-rpc-batch',
] as const;

/**
 * Departures from the letter of a revision that a reader may not survive, and what an extension of the protocol says. They belong to no revision; a policy allows
 * them by name like any feature.
 */
export const REPAIRS = [
  'envelope',
  'null-member',
  'result-content',
  'result-completion',
  'content-block',
  'list-entry',
  'tool-definition',
  'tool-hints',
  'tool-name',
  'schema-dialect',
  'schema-reference',
  'header-annotation',
  'unsafe-url',
  'client-capability',
  'error-code',
  'tasks-extension',
] as const;

/** What a client says that its server may not know; all else is the server's to say. */
const SAID_BY_CLIENTS: ReadonlySet<Concern> = new Set(['completion-context']);

export type Feature = (typeof FEATURES)[number];
export type Repair = (typeof REPAIRS)[number];

/** Whatever a step, a refusal or a policy can be about. */
export type Concern = Feature | Repair;

export const CONCERNS: readonly Concern[] = [...FEATURES, ...REPAIRS];

export function isSaidByClients(concern: Concern): boolean {
  return SAID_BY_CLIENTS.has(concern);
}

export function isConcern(name: string): name is Concern {
  return (CONCERNS as readonly string[]).includes(name);
}
