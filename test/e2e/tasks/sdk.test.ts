import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { CallToolResultSchema, ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Client as OlderClient } from 'sdk-2025-06-18/client/index.js';
import { StdioClientTransport as OlderTransport } from 'sdk-2025-06-18/client/stdio.js';
import { ElicitRequestSchema as OlderElicitRequestSchema } from 'sdk-2025-06-18/types.js';
import { afterEach, describe, expect, test } from 'vitest';

import { cliCommand, createWorkspace, type Workspace } from '../../support/cli.ts';
import { startListening } from '../../support/childProcess.ts';
import { fixtureCommand } from '../../support/fixture.ts';

const YES = { action: 'accept' as const, content: { confirm: true } };
const ends: (() => unknown)[] = [];

afterEach(async () => {
  for (const end of ends.splice(0).reverse()) await end();
});

type Folder = 'tasksModern' | 'tasksLegacy';

/** The command line of a bridge in front of a server that is started for it. */
async function bridge(folder: Folder, upstream: 'stdio' | 'http', flags: readonly string[]) {
  const workspace: Workspace = createWorkspace();
  ends.push(() => workspace.remove());
  const command = fixtureCommand(folder, upstream);
  const server = upstream === 'http' ? await startListening(command) : undefined;
  if (server !== undefined) ends.push(() => server.stop());
  const all = ['--report', workspace.reportFile, ...flags];
  const { command: program, args } = cliCommand('stdio', server ?? command, all);
  const env = { ...(process.env as Record<string, string>), ...workspace.environment };
  return { workspace, parameters: { command: program, args: [...args], env } };
}

/** A client of SDK 1.32.2 that confirms whatever it is asked. */
async function connect(folder: Folder, upstream: 'stdio' | 'http', flags: readonly string[] = []) {
  const { workspace, parameters } = await bridge(folder, upstream, flags);
  const asked: string[] = [];
  const client = new Client(
    { name: 'sdk', version: '1' },
    { capabilities: { elicitation: {}, tasks: { list: {} } } },
  );
  client.setRequestHandler(ElicitRequestSchema, ({ params }) => {
    asked.push(params.message);
    return YES;
  });
  await client.connect(new StdioClientTransport(parameters));
  ends.push(() => client.close());
  return { client, asked, workspace };
}

async function streamed(client: Client, name: string, args: Record<string, unknown>) {
  const kinds: string[] = [];
  let end: unknown;
  const call = { name, arguments: args };
  const stream = client.experimental.tasks.callToolStream(call, CallToolResultSchema, { task: {} });
  for await (const message of stream) {
    if (kinds.at(-1) !== message.type) kinds.push(message.type);
    if (message.type === 'result') end = message.result.content;
    if (message.type === 'error') end = message.error.message;
  }
  return { kinds, end };
}

describe.each<[Folder, 'stdio' | 'http', readonly string[]]>([
  ['tasksModern', 'stdio', ['--tasks', 'expose']],
  ['tasksModern', 'http', ['--tasks', 'expose']],
  ['tasksLegacy', 'stdio', []],
  ['tasksLegacy', 'http', []],
])('a client with the tasks of 2025-11-25 at %s over %s %s', (folder, upstream, flags) => {
  test('follows a task to its end, answers it, finds it listed and cancels another', async () => {
    const { client, asked, workspace } = await connect(folder, upstream, flags);
    expect(client.getServerCapabilities()?.tasks).toMatchObject({
      requests: { tools: { call: {} } },
    });
    const { tools } = await client.listTools();
    const slow = tools.find(({ name }) => name === 'slow_compute');
    expect(slow?.execution).toEqual({ taskSupport: 'optional' });

    const computed = await streamed(client, 'slow_compute', { seconds: 0.2, label: 'x' });
    expect(computed.kinds).toEqual(['taskCreated', 'taskStatus', 'result']);
    expect(computed.end).toEqual([{ type: 'text', text: 'Computed x' }]);

    const confirmed = await streamed(client, 'confirm_delete', { filename: 'a.txt' });
    expect(confirmed.end).toEqual([{ type: 'text', text: 'Deleted' }]);
    expect(asked).toEqual(['Delete a.txt?']);

    const broken = await streamed(client, 'protocol_error_job', {});
    expect(broken.end).toMatch(/Task \S+ failed/);

    const stream = client.experimental.tasks.callToolStream(
      { name: 'slow_compute', arguments: { seconds: 60 } },
      CallToolResultSchema,
      { task: {} },
    );
    const { value: created } = await stream.next();
    const taskId = created?.type === 'taskCreated' ? created.task.taskId : '';
    const { tasks } = await client.experimental.tasks.listTasks();
    expect(tasks).toHaveLength(4);
    expect(tasks.map((task) => task.taskId)).toContain(taskId);
    expect(await client.experimental.tasks.cancelTask(taskId)).toMatchObject({
      taskId,
      status: 'cancelled',
    });
    await expect(client.experimental.tasks.cancelTask(taskId)).rejects.toMatchObject({
      code: -32602,
    });
    await expect(client.experimental.tasks.getTask('nobody')).rejects.toMatchObject({
      code: -32602,
    });
    expect(workspace.report().filter(({ kind }) => kind === 'refusal')).toEqual([]);
  });
});

describe.each<[Folder, 'stdio' | 'http']>([
  ['tasksModern', 'stdio'],
  ['tasksModern', 'http'],
  ['tasksLegacy', 'stdio'],
  ['tasksLegacy', 'http'],
])('a client that asks for no task at %s over %s', (folder, upstream) => {
  test('has those awaited that the server cannot do without', async () => {
    const { client, asked, workspace } = await connect(folder, upstream);
    const progress: number[] = [];
    const call = { name: 'confirm_delete', arguments: { filename: 'a.txt' } };
    const { content } = await client.callTool(call, undefined, {
      onprogress: (news) => void progress.push(news.progress),
    });
    expect(content).toEqual([{ type: 'text', text: 'Deleted' }]);
    expect(asked).toEqual(['Delete a.txt?']);
    expect(progress).toEqual([...progress.keys()].map((index) => index + 1));
    expect(workspace.report()).toMatchObject([{ feature: 'tasks-extension', loss: 'none' }]);
    await expect(client.callTool({ name: 'protocol_error_job' })).rejects.toMatchObject({
      code: -32603,
    });
  });

  test('is an older one, too', async () => {
    const { parameters } = await bridge(folder, upstream, []);
    const client = new OlderClient(
      { name: 'older', version: '1' },
      { capabilities: { elicitation: {} } },
    );
    client.setRequestHandler(OlderElicitRequestSchema, () => YES);
    await client.connect(new OlderTransport(parameters));
    ends.push(() => client.close());
    const call = { name: 'confirm_delete', arguments: { filename: 'a.txt' } };
    const { content } = await client.callTool(call);
    expect(content).toEqual([{ type: 'text', text: 'Deleted' }]);
  });
});
