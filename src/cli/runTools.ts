import type { Bridge } from '../bridge/bridge.ts';
import { inspect } from '../bridge/inspect.ts';
import { Method } from '../protocol/methods.ts';
import { getMember, stringOf, type RawJson } from '../protocol/rawJson.ts';
import { readHints } from '../tools/hints.ts';
import type { Face } from './face.ts';
import { formatToolsJson, formatToolsTable, type ListedTool } from './toolsTable.ts';

/** How wide the table may be where the output is no terminal. */
const WIDTH = 120;

/** Prints the tools with their hints, as a table or as JSON. */
export async function runTools(face: Face, json: boolean): Promise<number> {
  const listed: ListedTool[] = [];
  let code = 0;
  for (const bridge of face.bridges) {
    const tools = await toolsOf(bridge, face);
    if (tools === undefined) code = 1;
    else
      listed.push(...tools.map((tool) => listedTool(tool, bridge.name, face.bridges.length > 1)));
  }
  if (code === 0 || listed.length > 0) {
    const width = process.stdout.isTTY ? process.stdout.columns : WIDTH;
    process.stdout.write(json ? formatToolsJson(listed) : formatToolsTable(listed, width));
  }
  return code;
}

function listedTool(tool: RawJson, server: string, several: boolean): ListedTool {
  const description = stringOf(getMember(tool, 'description'));
  return {
    name: stringOf(getMember(tool, 'name')) ?? '(no name)',
    hints: readHints(tool),
    ...(several && { server }),
    ...(description !== undefined && { description }),
  };
}

/** The tools as the server wrote them, since the bridge's repairs are no news of the server. */
async function toolsOf(bridge: Bridge, face: Face): Promise<readonly RawJson[] | undefined> {
  let tools: readonly RawJson[] | undefined;
  let isRefused = false;
  bridge.onEvent((event) => {
    if (event.kind === 'tools') tools = event.tools;
    if (event.kind === 'refusal' && event.method === Method.toolsList) isRefused = true;
  });
  const inspection = await inspect(bridge.accept, face.version, (message) =>
    face.log('warning', message),
  );
  if (inspection.kind === 'failed') {
    // A refusal is in the log already, and so is what kept the server from starting, as its state.
    if (!isRefused && !('message' in bridge.state)) {
      face.log('error', `[${bridge.name}] ${inspection.message}`);
    }
    return undefined;
  }
  return tools ?? inspection.tools;
}
