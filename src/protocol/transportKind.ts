/** The ways in which messages travel between a client and a server. */
export type TransportKind = 'stdio' | 'streamableHttp' | 'sse' | 'unixSocket' | 'zap';
