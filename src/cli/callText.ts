import { getAt, getMember, itemsOf, stringOf, type RawJson } from '../protocol/rawJson.ts';

/** The result of a tool for a person: its text as it is, of everything else what it is. It ends with a line break. */
export function formatCallResult(result: RawJson): string {
  const content = getMember(result, 'content');
  const blocks = content === undefined ? [] : itemsOf(content);
  const structured = getMember(result, 'structuredContent');
  const parts =
    blocks.length === 0 && structured !== undefined
      ? [structured.toString('utf8')]
      : blocks.map(formatBlock);
  return parts.map((part) => (part.endsWith('\n') ? part : `${part}\n`)).join('');
}

function formatBlock(block: RawJson): string {
  const text = (...path: string[]): string | undefined => {
    const value = getAt(block, path);
    return value && stringOf(value);
  };
  const type = text('type');
  switch (type) {
    case 'text':
      return text('text') ?? block.toString('utf8');
    case 'resource': {
      const inner = text('resource', 'text');
      return inner ?? named('resource', text('resource', 'uri'), text('resource', 'mimeType'));
    }
    case 'resource_link':
      return named('link', text('uri'), text('title') ?? text('name'));
    case 'image':
    case 'audio': {
      const bytes = Buffer.from(text('data') ?? '', 'base64').length;
      return named(type, text('mimeType'), `${bytes} bytes`);
    }
    default:
      return block.toString('utf8');
  }
}

function named(what: string, ...facts: (string | undefined)[]): string {
  return `[${[what, ...facts.filter((fact) => fact !== undefined)].join(', ')}]`;
}
