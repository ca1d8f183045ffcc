import { describe, expect } from 'vitest';

import type { Rule, Script, Step } from '../../fixtures/raw/script.ts';
import { modernServer } from '../../fixtures/raw/scripts.ts';
import { until } from '../../support/until.ts';
import { HttpClient } from '../reports/support/httpClient.ts';
import type { Run } from '../reports/support/records.ts';
import { legacy } from '../reports/support/rules.ts';
import { test, type Stage } from '../reports/support/stage.ts';

// Every object of JavaScript has members by these names; in a protocol they are names like any other.
const NAMES = ['constructor', 'toString', '__proto__', 'hasOwnProperty'] as const;
const MEMBERS = '"a":1.0, "__proto__":{"x":[1e2]},"constructor":"\\u0041"';

const rule = (on: string, ...steps: readonly Step[]): Rule => ({ on, steps: [...steps] });
const requestLine = (id: number, name: string): string =>
  `{"jsonrpc":"2.0","id":${id},"method":"${name}","params":{${MEMBERS}}}`;
const noticeLine = (name: string): string =>
  `{"jsonrpc":"2.0","method":"${name}", "params":{${MEMBERS}}}`;
const CALL = '{"jsonrpc":"2.0","id":99,"method":"tools/call","params":{"name":"tell"}}';

/** Answers each of the names in kind, and speaks of them all in the course of a call. */
function speaking(server: (...rules: Rule[]) => Script, ...inCall: readonly Step[]): Script {
  const done = server === modernServer ? '"resultType":"complete",' : '';
  return server(
    ...NAMES.map((name) =>
      rule(name, { line: `{"jsonrpc":"2.0","id":$ID,"result":{${done}${MEMBERS}}}` }),
    ),
    rule('tools/call', ...inCall),
  );
}
const tells: readonly Step[] = NAMES.map((name) => ({ line: noticeLine(name) }));
const asks: readonly Step[] = NAMES.map((name, i) => ({ line: requestLine(70 + i, name) }));
const ofLegacy = (...rules: Rule[]): Script => legacy('2025-11-25', ...rules);

/** A client, on whichever face of the bridge. */
interface Client {
  readonly lines: readonly string[];
  /** Sends a message, whether it is answered or not. */
  send(line: string): void;
}

const FACES = {
  stdio: async (stage: Stage, server: Script | string): Promise<Client> => {
    const { client } = await stage.stdio(server);
    return { lines: client.lines, send: (line) => client.write(line) };
  },
  serve: async (stage: Stage, server: Script | string): Promise<Client> => {
    const entry = typeof server === 'string' ? { url: server } : stage.entry(server, 'server');
    const { urls } = await stage.serve({ one: entry });
    const client = new HttpClient(urls['one'] ?? '');
    await client.open();
    await client.listen();
    const send = (line: string): void => void client.post(line).catch(() => undefined);
    return { lines: client.lines, send };
  },
};

async function line(client: Client, part: string): Promise<string> {
  return until(
    () => client.lines.find((each) => each.includes(part)),
    5_000,
    () => `${part} in:\n${client.lines.join('\n')}`,
  );
}

async function heard(run: () => Run, part: string): Promise<string> {
  const told = (): string => `${part} in:\n${run().lines.join('\n')}`;
  return until(() => run().lines.find((each) => each.includes(part)), 5_000, told);
}

describe.for(Object.entries(FACES))('over %s, names that every object inherits', ([, connect]) => {
  test('cross to and from a legacy server like any other', async ({ stage }) => {
    const client = await connect(stage, speaking(ofLegacy, ...tells, ...asks));
    const run = (): Run => stage.run;
    for (const [index, name] of NAMES.entries()) {
      client.send(requestLine(index + 1, name));
      expect(await line(client, `"id":${index + 1},"result"`)).toBe(
        `{"jsonrpc":"2.0","id":${index + 1},"result":{${MEMBERS}}}`,
      );
      client.send(noticeLine(name));
      expect(await heard(run, `"method":"${name}", `)).toBe(noticeLine(name));
    }
    expect(run().lines.filter((each) => each.includes(`"params":{${MEMBERS}`))).toHaveLength(8);

    client.send(CALL);
    for (const [index, name] of NAMES.entries()) {
      expect(await line(client, `"method":"${name}", `)).toBe(noticeLine(name));
      const asked = await line(client, `,"method":"${name}","params"`);
      expect(asked).toContain(`"params":{${MEMBERS}}`);
      const { id } = JSON.parse(asked) as { id: string };
      client.send(`{"jsonrpc":"2.0","id":"${id}","result":{${MEMBERS}}}`);
      expect(await heard(run, `"id":${70 + index},"result"`)).toBe(
        `{"jsonrpc":"2.0","id":${70 + index},"result":{${MEMBERS}}}`,
      );
    }
  });

  test.for(['stdio', 'http'])(
    'cross to and from a modern server over %s like any other',
    async (transport, { stage }) => {
      const frames = tells.map((step) =>
        'line' in step && transport === 'http' ? { line: `data: ${step.line}\n`, end: '\n' } : step,
      );
      const script = speaking(modernServer, ...frames, { hang: true });
      for (const each of script.rules) if (each.on === 'tools/call') each.sse = true;
      const client = await connect(stage, transport === 'http' ? await stage.http(script) : script);
      const run = (): Run => stage.run;
      for (const [index, name] of NAMES.entries()) {
        client.send(requestLine(index + 1, name));
        expect(await line(client, `"id":${index + 1},"result"`)).toBe(
          `{"jsonrpc":"2.0","id":${index + 1},"result":{"resultType":"complete",${MEMBERS}}}`,
        );
        expect(await heard(run, `,"method":"${name}","params"`)).toContain(`{${MEMBERS}`);
        client.send(noticeLine(name));
        expect(await heard(run, `"method":"${name}", `)).toContain(`{${MEMBERS}`);
      }
      client.send(CALL);
      for (const name of NAMES) {
        expect(await line(client, `"method":"${name}", `)).toBe(noticeLine(name));
      }
    },
  );

  test('are refused as questions of a modern server, and do no harm', async ({ stage }) => {
    const client = await connect(stage, speaking(modernServer, ...asks));
    client.send(CALL);
    for (const [index] of NAMES.entries()) {
      const refused = await heard(() => stage.run, `"id":${70 + index},"error"`);
      expect(JSON.parse(refused)).toMatchObject({ error: { code: -32601 } });
    }
    client.send(requestLine(1, 'toString'));
    await line(client, '"id":1,"result"');
  });
});
