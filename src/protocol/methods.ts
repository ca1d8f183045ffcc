/** The methods whose messages the bridge has to know; every other method crosses without being looked at. */
export const Method = {
  initialize: 'initialize',
  initialized: 'notifications/initialized',
  ping: 'ping',
  discover: 'server/discover',
  setLevel: 'logging/setLevel',
  message: 'notifications/message',
  progress: 'notifications/progress',
  cancelled: 'notifications/cancelled',
  toolsList: 'tools/list',
  toolsCall: 'tools/call',
  promptsList: 'prompts/list',
  promptsGet: 'prompts/get',
  resourcesList: 'resources/list',
  resourcesRead: 'resources/read',
  templatesList: 'resources/templates/list',
  complete: 'completion/complete',
  subscribe: 'resources/subscribe',
  unsubscribe: 'resources/unsubscribe',
  listen: 'subscriptions/listen',
  acknowledged: 'notifications/subscriptions/acknowledged',
  resourceUpdated: 'notifications/resources/updated',
  toolsChanged: 'notifications/tools/list_changed',
  promptsChanged: 'notifications/prompts/list_changed',
  resourcesChanged: 'notifications/resources/list_changed',
  rootsChanged: 'notifications/roots/list_changed',
  rootsList: 'roots/list',
  createMessage: 'sampling/createMessage',
  elicit: 'elicitation/create',
} as const;

/**
 * Requests of the legacy era that the modern one does without (2026-07-28, Key Changes): they have no meaning where there
 * is no session.
 */
export const RETIRED: ReadonlySet<string> = new Set([
  Method.initialize,
  Method.ping,
  Method.setLevel,
  Method.subscribe,
  Method.unsubscribe,
]);
