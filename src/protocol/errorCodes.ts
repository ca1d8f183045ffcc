/** Error codes that cross the wire: JSON-RPC 2.0, section 5.1, and the range the MCP specification reserves. */
export const ErrorCode = {
  parseError: -32700,
  invalidRequest: -32600,
  methodNotFound: -32601,
  invalidParams: -32602,
  internalError: -32603,
  /** Until 2025-11-25. */
  resourceNotFound: -32002,
  /** Only 2025-11-25. */
  urlElicitationRequired: -32042,
  /** From 2026-07-28 on. */
  headerMismatch: -32020,
  missingRequiredClientCapability: -32021,
  unsupportedProtocolVersion: -32022,
  /** The bridge's own refusal to a modern client: outside the range that JSON-RPC reserves. */
  refusedByBridge: -31000,
} as const;

const MODERN_ONLY: ReadonlySet<number> = new Set([
  ErrorCode.headerMismatch,
  ErrorCode.missingRequiredClientCapability,
  ErrorCode.unsupportedProtocolVersion,
]);

/** An error that only a server of the modern era sends, and that therefore tells its era. */
export function isModernError(code: number): boolean {
  return MODERN_ONLY.has(code);
}
