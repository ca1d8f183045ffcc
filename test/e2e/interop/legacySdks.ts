import type { Client as NewestClient } from '@modelcontextprotocol/sdk/client/index.js';
import type { SSEClientTransport as NewestSse } from '@modelcontextprotocol/sdk/client/sse.js';
import type { StdioClientTransport as NewestStdio } from '@modelcontextprotocol/sdk/client/stdio.js';
import type { StreamableHTTPClientTransport as NewestHttp } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type * as NewestTypes from '@modelcontextprotocol/sdk/types.js';
import * as client1 from 'sdk-2024-11-05/client/index.js';
import * as sse1 from 'sdk-2024-11-05/client/sse.js';
import * as stdio1 from 'sdk-2024-11-05/client/stdio.js';
import * as types1 from 'sdk-2024-11-05/types.js';
import * as client2 from 'sdk-2025-03-26/client/index.js';
import * as sse2 from 'sdk-2025-03-26/client/sse.js';
import * as stdio2 from 'sdk-2025-03-26/client/stdio.js';
import * as http2 from 'sdk-2025-03-26/client/streamableHttp.js';
import * as types2 from 'sdk-2025-03-26/types.js';
import * as client3 from 'sdk-2025-06-18/client/index.js';
import * as sse3 from 'sdk-2025-06-18/client/sse.js';
import * as stdio3 from 'sdk-2025-06-18/client/stdio.js';
import * as http3 from 'sdk-2025-06-18/client/streamableHttp.js';
import * as types3 from 'sdk-2025-06-18/types.js';
import * as client4 from '@modelcontextprotocol/sdk/client/index.js';
import * as sse4 from '@modelcontextprotocol/sdk/client/sse.js';
import * as stdio4 from '@modelcontextprotocol/sdk/client/stdio.js';
import * as http4 from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as types4 from '@modelcontextprotocol/sdk/types.js';

import { EventSource } from 'undici';

import type { Revision } from '../../../src/protocol/revision.ts';

// The oldest client over HTTP+SSE takes the one of its surroundings, which was a browser.
Object.assign(globalThis, { EventSource });

type Types = Omit<typeof NewestTypes, 'ElicitRequestSchema'> & {
  /** From 2025-06-18 on. */
  readonly ElicitRequestSchema?: (typeof NewestTypes)['ElicitRequestSchema'];
};

/** A client SDK of the past behind the types of the newest; no test uses more than the old one has. */
export interface LegacySdk {
  readonly revision: Revision;
  readonly version: string;
  readonly Client: typeof NewestClient;
  readonly Stdio: typeof NewestStdio;
  readonly Sse: typeof NewestSse;
  /** Absent where the SDK is older than Streamable HTTP. */
  readonly Http: typeof NewestHttp | undefined;
  readonly types: Types;
}

interface Modules {
  readonly client: { readonly Client: unknown };
  readonly stdio: { readonly StdioClientTransport: unknown };
  readonly sse: { readonly SSEClientTransport: unknown };
  readonly http?: { readonly StreamableHTTPClientTransport: unknown };
  readonly types: unknown;
}

function sdk(revision: Revision, version: string, modules: Modules): LegacySdk {
  return {
    revision,
    version,
    Client: modules.client.Client as LegacySdk['Client'],
    Stdio: modules.stdio.StdioClientTransport as LegacySdk['Stdio'],
    Sse: modules.sse.SSEClientTransport as LegacySdk['Sse'],
    Http: modules.http?.StreamableHTTPClientTransport as LegacySdk['Http'],
    types: modules.types as Types,
  };
}

/** The last SDK of each revision of the legacy era that speaks it of its own accord. */
export const LEGACY_SDKS: readonly LegacySdk[] = [
  sdk('2024-11-05', '1.0.4', { client: client1, stdio: stdio1, sse: sse1, types: types1 }),
  sdk('2025-03-26', '1.12.3', {
    client: client2,
    stdio: stdio2,
    sse: sse2,
    http: http2,
    types: types2,
  }),
  sdk('2025-06-18', '1.20.2', {
    client: client3,
    stdio: stdio3,
    sse: sse3,
    http: http3,
    types: types3,
  }),
  sdk('2025-11-25', '1.32.2', {
    client: client4,
    stdio: stdio4,
    sse: sse4,
    http: http4,
    types: types4,
  }),
];
