import { getMember } from '../../protocol/rawJson.ts';
import type { Revision } from '../../protocol/revision.ts';
import {
  isAnything,
  isArray,
  isAudience,
  isBoolean,
  isInteger,
  isMoment,
  isObject,
  isOneOf,
  isShare,
  isString,
  isStrings,
  isToken,
  type Check,
} from './checks.ts';
import type { MemberRule, Shape } from './repairMembers.ts';

/**
 * The members that the revisions' schemas (`schema.json` of each) and the clients of their time type in what servers
 * send. A name stands here with the first revision that types it in either.
 */

type Rules = Readonly<Record<string, MemberRule>>;

const rule = (since: Revision, fits: Check): MemberRule => ({ since, fits });

const shape = (rules: Rules, needs?: readonly string[]): Shape => ({
  members: new Map(Object.entries(rules)),
  ...(needs !== undefined && { needs }),
});

const BASE: Revision = '2024-11-05';

const ANNOTATIONS = shape({
  audience: rule(BASE, isAudience),
  priority: rule(BASE, isShare),
  lastModified: rule('2025-06-18', isMoment),
});

const ICON = shape(
  {
    mimeType: rule('2025-06-18', isString),
    sizes: rule('2025-06-18', isStrings),
    theme: rule('2025-11-25', isOneOf('light', 'dark')),
  },
  ['src'],
);

const annotations: MemberRule = { ...rule(BASE, isObject), holds: ANNOTATIONS, isClaim: true };
// A revision earlier than the specification has them: clients of that age read them already.
const icons: MemberRule = { ...rule('2025-06-18', isArray), holds: ICON };
const meta = rule('2025-06-18', isObject);
const title = rule('2025-06-18', isString);
const text = rule(BASE, isString);
const any = rule(BASE, isAnything);

const RESOURCE_RULES: Rules = {
  title,
  description: text,
  mimeType: text,
  size: rule(BASE, isInteger),
  annotations,
  icons,
  _meta: meta,
};

const ARGUMENT = shape({ title, description: text, required: rule(BASE, isBoolean) }, ['name']);

/** A resource in a list, or a link to one in content. */
export const RESOURCE = shape({ ...RESOURCE_RULES, name: text, uri: text }, ['name', 'uri']);
export const TEMPLATE = shape({ ...RESOURCE_RULES, size: any, name: text, uriTemplate: text }, [
  'name',
  'uriTemplate',
]);
export const PROMPT = shape(
  {
    title,
    description: text,
    arguments: { ...rule(BASE, isArray), holds: ARGUMENT },
    icons,
    _meta: meta,
  },
  ['name'],
);

/** What is read of a resource, by itself or inside content. */
export const CONTENTS = shape({ uri: text, mimeType: text, _meta: meta, text: any, blob: any });

const MEDIA = shape({ mimeType: text, data: any, annotations, _meta: meta });

/** Content blocks by their type. */
export const BLOCKS: ReadonlyMap<string, Shape> = new Map([
  ['text', shape({ text: any, annotations, _meta: meta })],
  ['image', MEDIA],
  ['audio', MEDIA],
  ['resource', shape({ resource: any, annotations, _meta: meta })],
  ['resource_link', RESOURCE],
]);

/** A tool's definition; its schemas and annotations have rules of their own. */
export const TOOL = shape({
  title,
  description: text,
  inputSchema: any,
  outputSchema: any,
  annotations: any,
  icons,
  execution: {
    // In the modern era it is no member any more.
    ...rule(BASE, (value, to) => to !== '2025-11-25' || isObject(value, to)),
    holds: shape({
      taskSupport: rule(
        BASE,
        (value, to) =>
          to !== '2025-11-25' || isOneOf('forbidden', 'optional', 'required')(value, to),
      ),
    }),
  },
  _meta: meta,
});

/** Whoever speaks: `serverInfo` of the handshake (2025-11-25, Implementation). */
export const IMPLEMENTATION = shape({
  name: text,
  version: text,
  title,
  description: rule('2025-11-25', isString),
  websiteUrl: rule('2025-06-18', isString),
  icons,
});

const namesTask: Check = (value, to) => {
  const id = getMember(value, 'taskId');
  return id !== undefined && isString(id, to);
};

/** `_meta` of a whole result, over which known clients drop the message and wait for another. */
const RESULT_META: MemberRule = {
  ...rule(BASE, isObject),
  holds: shape({
    progressToken: rule('2025-11-25', isToken),
    'io.modelcontextprotocol/related-task': rule('2025-11-25', namesTask),
  }),
  isClaim: true,
};

/** A result of any method. */
export const RESULT = shape({ _meta: RESULT_META });
/** One page of a list: another kind of cursor its reader could not send back, whatever the policy. */
export const PAGE = shape({ _meta: RESULT_META, nextCursor: { ...text, isClaim: true } });
export const TOOL_RESULT = shape({
  _meta: RESULT_META,
  isError: rule(BASE, isBoolean),
  content: any,
});
export const PROMPT_RESULT = shape({ _meta: RESULT_META, description: text, messages: any });
export const HANDSHAKE = shape({ _meta: RESULT_META, instructions: text });
export const COMPLETION = shape({
  values: any,
  total: rule(BASE, isInteger),
  hasMore: rule(BASE, isBoolean),
});

/** What a server offers; the members of each capability that are typed. */
export const CAPABILITIES: ReadonlyMap<string, Shape> = new Map(
  Object.entries({
    experimental: shape({}),
    logging: shape({}),
    completions: shape({}),
    prompts: shape({ listChanged: rule(BASE, isBoolean) }),
    resources: shape({ subscribe: rule(BASE, isBoolean), listChanged: rule(BASE, isBoolean) }),
    tools: shape({ listChanged: rule(BASE, isBoolean) }),
    tasks: shape({}),
    extensions: shape({}),
  }),
);
