import { mayHold } from './schema/keywords.ts';
import { schemaNodes } from './schema/walk.ts';
import type { ToolListContext } from './types.ts';
import type { ParamHeader } from '../../protocol/headerValue.ts';
import { getMember, stringOf, type JsonPath, type RawJson } from '../../protocol/rawJson.ts';
import { eraOf } from '../../protocol/revision.ts';
import type { Edition } from '../edition.ts';
import { pointer } from '../report.ts';

const ANNOTATION = 'x-mcp-header';
const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const PRIMITIVE: ReadonlySet<string> = new Set(['string', 'integer', 'boolean']);

/**
 * The arguments that calls must repeat as headers. A tool with an invalid annotation is refused, as a client over HTTP
 * must (2026-07-28, Streamable HTTP, Schema Extension); over other transports, and to older servers, they mean nothing to
 * the server, but a modern reader may yet send the headers, so that they are known here.
 */
export function readParamHeaders(edition: Edition, context: ToolListContext): ParamHeader[] {
  const schema = getMember(edition.raw, 'inputSchema');
  const binding =
    context.upstream === 'streamableHttp' && eraOf(context.from.revision) === 'modern';
  const readable = binding || eraOf(context.to.revision) === 'modern';
  if (schema === undefined || !readable || !mayHold(schema, ANNOTATION)) return [];
  const headers: ParamHeader[] = [];
  const names = new Set<string>();
  for (const { raw, path } of schemaNodes(schema)) {
    const annotation = getMember(raw, ANNOTATION);
    if (annotation === undefined) continue;
    const name = stringOf(annotation) ?? '';
    const properties = propertyPath(path);
    const problem = problemOf(raw, name, properties, names);
    if (problem !== undefined || properties === undefined) {
      if (!binding) return [];
      edition.refusal ??= {
        feature: 'header-annotation',
        path: pointer(['inputSchema', ...path, ANNOTATION]),
        hint: `The ${ANNOTATION} annotation ${problem ?? ''}; a tool with an invalid one must not be used over HTTP.`,
      };
      return [];
    }
    names.add(name.toLowerCase());
    headers.push({ header: `Mcp-Param-${name}`, path: properties });
  }
  return headers;
}

/** The property names of a chain that consists of `properties` alone; undefined for any other place. */
function propertyPath(path: JsonPath): string[] | undefined {
  const names: string[] = [];
  for (let i = 0; i < path.length; i += 2) {
    const name = path[i + 1];
    if (path[i] !== 'properties' || typeof name !== 'string') return undefined;
    names.push(name);
  }
  return names.length > 0 ? names : undefined;
}

function problemOf(
  schema: RawJson,
  name: string,
  properties: readonly string[] | undefined,
  names: ReadonlySet<string>,
): string | undefined {
  if (properties === undefined) return 'stands where no chain of properties alone leads';
  if (!TOKEN.test(name)) return 'is not a valid header name';
  if (!PRIMITIVE.has(stringOf(getMember(schema, 'type')) ?? '')) {
    return 'stands on an argument that is not a string, an integer or a boolean';
  }
  return names.has(name.toLowerCase()) ? 'repeats the name of another' : undefined;
}
