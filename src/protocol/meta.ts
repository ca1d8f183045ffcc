/** Keys of `_meta` that the protocol itself owns (2026-07-28, Overview, `_meta`). */
export const Meta = {
  protocolVersion: 'io.modelcontextprotocol/protocolVersion',
  clientInfo: 'io.modelcontextprotocol/clientInfo',
  clientCapabilities: 'io.modelcontextprotocol/clientCapabilities',
  logLevel: 'io.modelcontextprotocol/logLevel',
  serverInfo: 'io.modelcontextprotocol/serverInfo',
  subscriptionId: 'io.modelcontextprotocol/subscriptionId',
  /** Only 2025-11-25 (Tasks, Related Task Metadata). */
  relatedTask: 'io.modelcontextprotocol/related-task',
} as const;
