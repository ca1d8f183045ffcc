import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import type { Page } from 'playwright-core';

/** Lets code in the extension host drive the page and report its result. */
export interface PageControl {
  /** Where the extension host finds it: the value of the variable `EDITOR_PAGE`. */
  readonly url: string;
  /** How the browser reaches a port of the editor's machine, where it is another one: the value of `VSCODE_PROXY_URI`. */
  readonly forwarding: string;
  /** The exit code which the test runner reports. */
  readonly exitCode: Promise<number>;
  /** From here on requests act on this page. */
  drive(page: Page): Promise<void>;
  close(): Promise<void>;
}

type Request = Readonly<Record<string, string | undefined>>;

/** Waits in the page never take longer than this many milliseconds. */
const patience = 15_000;

/** Starts the control server on the loopback address; its path is a secret. */
export async function startPageControl(screenshots: string): Promise<PageControl> {
  const secret = randomUUID();
  const driven = Promise.withResolvers<Page>();
  const opened: Page[] = [];
  const exit = Promise.withResolvers<number>();
  let starts = 0;

  async function act(action: string, request: Request): Promise<unknown> {
    if (action === 'log') return void console.log(request['line'] ?? '');
    if (action === 'exit') return exit.resolve(Number(request['code']));
    if (action === 'start') {
      starts += 1;
      if (starts > 1) exit.reject(new Error('The extension host was restarted during the tests'));
      return starts;
    }
    const page = await driven.promise;
    if (action === 'opened') return takeOpened(page, opened);
    return actOnPage(page, action, request, screenshots);
  }

  const server = createServer((incoming, outgoing) => {
    const { url = '', method } = incoming;
    const [, given, action = ''] = url.split('/');
    const forwarded = /^\/port\/(\d+)(\/.*)$/.exec(url);
    if (method === 'GET' && forwarded !== null) {
      const [, target = '', path = ''] = forwarded;
      outgoing.writeHead(307, { location: `http://127.0.0.1:${target}${path}` }).end();
      return;
    }
    if (method !== 'POST' || given !== secret) {
      outgoing.writeHead(404).end();
      return;
    }
    void readRequest(incoming)
      .then((request) => act(action, request))
      .then(
        (value) => outgoing.writeHead(200).end(JSON.stringify({ value: value ?? null })),
        (error: unknown) =>
          outgoing
            .writeHead(500)
            .end(JSON.stringify({ error: stripVTControlCharacters(String(error)) })),
      );
  });
  await new Promise<void>((settle) => server.listen(0, '127.0.0.1', settle));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/${secret}`,
    forwarding: `http://127.0.0.1:${port}/port/{{port}}/`,
    exitCode: exit.promise,
    drive: async (page) => {
      page.context().on('page', (other) => opened.push(other));
      // Pages out in the world, whose names lead nowhere, are there all the same.
      await page
        .context()
        .route('https://*.invalid/**', (route) => route.fulfill({ body: 'A page' }));
      driven.resolve(page);
    },
    close: () =>
      new Promise((settle) => {
        server.close(() => settle());
        server.closeAllConnections();
      }),
  };
}

/** Where the first page that the editor has opened in the browser led in the end, and what it says there; it is closed. */
async function takeOpened(
  page: Page,
  opened: Page[],
): Promise<{ readonly url: string; readonly text: string }> {
  if (opened.length === 0) await page.context().waitForEvent('page', { timeout: patience });
  const [first] = opened.splice(0, 1);
  if (first === undefined) throw new Error('No page was opened');
  await first.waitForLoadState('load', { timeout: patience });
  const taken = { url: first.url(), text: await first.locator('body').innerText() };
  await first.close();
  return taken;
}

async function actOnPage(
  page: Page,
  action: string,
  request: Request,
  screenshots: string,
): Promise<unknown> {
  const { selector = '', text = '' } = request;
  const timeout = patience;
  switch (action) {
    case 'screenshot': {
      const path = join(screenshots, `${request['name'] ?? 'page'}.png`);
      await page.screenshot({ path });
      return path;
    }
    case 'click':
      return page.locator(selector).first().click({ timeout });
    case 'hover':
      return page.locator(selector).first().hover({ timeout });
    case 'fill':
      return page.locator(selector).first().fill(text, { timeout });
    case 'value':
      return page.locator(selector).first().inputValue({ timeout });
    case 'press':
      return page.keyboard.press(request['key'] ?? '');
    case 'text':
      return page.locator(selector).first().innerText({ timeout });
    case 'texts':
      return page.locator(selector).allInnerTexts();
    case 'wait':
      return page.locator(selector).first().waitFor({ state: 'visible', timeout });
    case 'waitGone':
      return page.locator(selector).first().waitFor({ state: 'hidden', timeout });
    default:
      throw new Error(`Unknown page action ${action}`);
  }
}

async function readRequest(incoming: IncomingMessage): Promise<Request> {
  let body = '';
  for await (const chunk of incoming) body += String(chunk);
  return JSON.parse(body) as Request;
}
