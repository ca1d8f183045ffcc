import { existsSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

import { describe, expect } from 'vitest';

import { BROWSER } from '../../fixtures/browser/command.ts';
import { test as staged } from '../reports/support/stage.ts';

type Metadata = Readonly<Record<string, unknown>>;

/** A server and its authorization server in one, which says of itself what a test wants. */
interface Place {
  readonly url: string;
  /** The paths that were asked for, without their query. */
  readonly asked: string[];
  /** The scopes that were asked for, sign-in by sign-in. */
  readonly scopes: (string | null)[];
  /** What its challenge names from here on; of other scopes the authorization server knows nothing. */
  readonly demand: (scope: string) => void;
  readonly close: () => void;
}

type Start = (metadata: Metadata, iss?: string, description?: Metadata) => Promise<Place>;

const test = staged.extend<{ startPlace: Start }>({
  startPlace: async ({}, use) => {
    const places: Place[] = [];
    await use(async (...how) => {
      const place = await openPlace(...how);
      places.push(place);
      return place;
    });
    for (const place of places) place.close();
  },
});

/** `iss`: what its redirects say of where they come from; `description`: what the server says of itself. */
async function openPlace(
  metadata: Metadata,
  iss?: string,
  description: Metadata = {},
): Promise<Place> {
  const asked: string[] = [];
  const scopes: (string | null)[] = [];
  let demanded = '';
  const serve = (request: IncomingMessage, response: ServerResponse): void => {
    const { pathname, searchParams } = new URL(request.url ?? '/', origin);
    asked.push(pathname);
    const answer = (body: object): void =>
      void response.setHeader('content-type', 'application/json').end(JSON.stringify(body));
    switch (pathname) {
      case '/mcp': {
        const resource = `${origin}/.well-known/oauth-protected-resource/mcp`;
        const scope = demanded === '' ? '' : `, scope="${demanded}"`;
        response.setHeader('www-authenticate', `Bearer resource_metadata="${resource}"${scope}`);
        response.writeHead(401).end();
        return;
      }
      case '/.well-known/oauth-protected-resource/mcp': {
        const { fragment } = description;
        const resource = `${origin}/mcp${typeof fragment === 'string' ? fragment : ''}`;
        answer({ resource, authorization_servers: [origin], ...description });
        return;
      }
      case '/.well-known/oauth-authorization-server':
        answer({
          issuer: origin,
          authorization_endpoint: `${origin}/authorize`,
          token_endpoint: `${origin}/token`,
          registration_endpoint: `${origin}/register`,
          response_types_supported: ['code'],
          code_challenge_methods_supported: ['S256'],
          ...metadata,
        });
        return;
      case '/register':
        request.resume();
        if (metadata['registration_error'] !== undefined) {
          response.statusCode = 400;
          answer({ error: metadata['registration_error'] });
          return;
        }
        response.statusCode = 201;
        answer({ client_id: 'registered', redirect_uris: ['http://127.0.0.1/callback'] });
        return;
      case '/authorize': {
        const back = new URL(searchParams.get('redirect_uri') ?? '');
        const wanted = searchParams.get('scope');
        scopes.push(wanted);
        if (demanded === '' || wanted === demanded) back.searchParams.set('code', 'the-code');
        else back.searchParams.set('error', 'invalid_scope');
        back.searchParams.set('state', searchParams.get('state') ?? '');
        if (iss !== undefined) back.searchParams.set('iss', iss);
        response.writeHead(302, { location: back.href }).end();
        return;
      }
      case '/token':
        request.resume();
        answer({ access_token: 'a-token', token_type: 'Bearer' });
        return;
      default:
        response.writeHead(404).end();
    }
  };
  const server = createServer(serve);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const close = (): void => {
    server.close();
    server.closeAllConnections();
  };
  const demand = (scope: string): void => {
    demanded = scope;
  };
  return { url: `${origin}/mcp`, asked, scopes, demand, close };
}

describe.concurrent('a page to sign in at that is none', () => {
  test.for([
    ['a scheme that a shell would read', 'a:$(calc)'],
    ['a file', 'file:///etc/passwd'],
    ['a script', 'javascript:alert(1)'],
    ['an editor', 'vscode://extension/run'],
    ['a command of the editor', 'command:workbench.action.quit'],
    ['a page without encryption', 'http://evil.example/authorize'],
    ['a host before a backslash', 'https://evil.example\\@127.0.0.1/authorize'],
    ['a host behind a name', 'https://127.0.0.1@evil.example/authorize'],
    ['a page with a very long name', `https://evil.example/${'a'.repeat(9000)}`],
  ] as const)(
    'is opened by nobody: %s',
    async ([, authorization_endpoint], { stage, startPlace }) => {
      // Whatever is started leaves a file.
      const opened = join(stage.folder, 'opened');
      const browser = join(stage.folder, 'browser');
      writeFileSync(browser, `#!/bin/sh\ntouch ${opened}\n`, { mode: 0o755 });
      stage.env['BROWSER'] = browser;
      const { url, asked } = await startPlace({ authorization_endpoint });
      const login = stage.cli('login', url);
      expect(await login.exit()).toBe(1);
      expect(login.stderr).toMatch(/not safe to open|publishes about itself cannot be read/);
      expect(existsSync(opened)).toBe(false);
      expect(asked).not.toContain('/token');
    },
  );
});

describe.concurrent('a redirect that comes from elsewhere', () => {
  test.for([
    ['names another issuer', 'https://evil.example', true],
    ['names another issuer, though none was promised', 'https://evil.example', false],
    ['names none, though one was promised', undefined, true],
  ] as const)('is not believed: it %s', async ([, iss, promised], { stage, startPlace }) => {
    stage.env['BROWSER'] = BROWSER;
    const { url, asked } = await startPlace(
      { authorization_response_iss_parameter_supported: promised },
      iss,
    );
    const login = stage.cli('login', url);
    expect(await login.exit()).toBe(1);
    expect(login.stderr).toContain('does not come from the authorization server that was asked');
    expect(asked).toContain('/authorize');
    expect(asked).not.toContain('/token');
  });
});

describe.concurrent('an authorization server with which no program can register itself', () => {
  test('is told of, and what to do about it', async ({ stage, startPlace }) => {
    stage.env['BROWSER'] = BROWSER;
    const { url, asked } = await startPlace({ registration_endpoint: undefined });
    const login = stage.cli('login', url);
    expect(await login.exit()).toBe(1);
    expect(login.stderr).toContain('lets no program register itself');
    expect(login.stderr).toContain('"oauth.clientId"');
    expect(asked).not.toContain('/authorize');
  });
});

describe.concurrent('an authorization server that has given up a scope', () => {
  test('is asked for it once more, and then for what the server demands', async ({
    stage,
    startPlace,
  }) => {
    stage.env['BROWSER'] = BROWSER;
    const { url, scopes, demand } = await startPlace({});
    const login = async (): Promise<string> => {
      const cli = stage.cli('login', url);
      expect(await cli.exit()).toBe(1);
      return cli.stderr;
    };
    demand('old');
    // It takes no token, ever.
    expect(await login()).toContain('what the sign-in has just brought');
    demand('new');
    expect(await login()).toContain('The authorization server refused: invalid_scope.');
    expect(await login()).toContain('what the sign-in has just brought');
    expect(scopes).toEqual(['old', 'old new', 'new']);
  });
});

describe.concurrent('a server or an authorization server that is not what it must be', () => {
  const issuer = 'https://honest.example/\u001b[31m';
  test.for([
    ['calls itself by another name', { issuer }, {}, 'calls itself "https://honest.example/"'],
    ['is incomplete', { token_endpoint: undefined }, {}, 'publishes about itself cannot be read'],
    [
      'protects codes in another way',
      { code_challenge_methods_supported: ['plain'] },
      {},
      'does not say that it protects authorization codes',
    ],
    [
      'registers nobody',
      { registration_error: 'invalid_redirect_uri\u001b[31m' },
      {},
      'registered no client (HTTP 400, invalid_redirect_uri). Register one there',
    ],
    ['is another server', {}, { resource: 'https://evil.example/mcp' }, 'which it is not'],
    ['is a part of a server', {}, { fragment: '#tools' }, 'which it is not'],
  ] as const)(
    'is told of: it %s',
    async ([, metadata, description, told], { stage, startPlace }) => {
      stage.env['BROWSER'] = BROWSER;
      const { url, asked } = await startPlace(metadata, undefined, description);
      const login = stage.cli('login', url);
      expect(await login.exit()).toBe(1);
      expect(login.stderr).toContain(told);
      expect(asked).not.toContain('/token');
    },
  );
});
