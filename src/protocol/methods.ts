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
  elicitationComplete: 'notifications/elicitation/complete',
  tasksGet: 'tasks/get',
  tasksResult: 'tasks/result',
  tasksList: 'tasks/list',
  tasksCancel: 'tasks/cancel',
  tasksUpdate: 'tasks/update',
  taskStatus: 'notifications/tasks/status',
  /** The same in the extension for tasks. */
  taskChanged: 'notifications/tasks',
} as const;

/** The notifications of a server that have a rule of their own; all others are an extension's, or of a later revision. */
export const SERVER_NOTIFICATIONS: ReadonlySet<string> = new Set([
  Method.message,
  Method.progress,
  Method.cancelled,
  Method.acknowledged,
  Method.resourceUpdated,
  Method.toolsChanged,
  Method.promptsChanged,
  Method.resourcesChanged,
  Method.elicitationComplete,
  'notifications/tasks/status',
]);

/** The requests of a revision. */
export interface Methods {
  /** What a client asks of a server. */
  readonly requests: ReadonlySet<string>;
  /** What a server asks of the user's side, in whichever way the revision has for it. */
  readonly questions: ReadonlySet<string>;
  /** What a client asks where an extension of the protocol gives it a meaning. */
  readonly extensions: ReadonlySet<string>;
}
