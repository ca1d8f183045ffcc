/** The formats of a text that a form may demand (2025-06-18, Elicitation, Supported Schema Types), checked leniently. */
const FORMATS: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['email', (text: string) => /^[^\s@]+@[^\s@]+$/.test(text)],
  ['uri', (text: string) => /^[a-z][a-z0-9+.-]*:\S+$/i.test(text)],
  ['date', isDate],
  ['date-time', isDateTime],
]);

/** True where a text has the format, or nobody knows the format. */
export function hasFormat(text: string, format: string | undefined): boolean {
  return format === undefined || (FORMATS.get(format)?.(text) ?? true);
}

function isDate(text: string): boolean {
  if (!/^\d{4}-\d\d-\d\d$/.test(text)) return false;
  const time = Date.parse(`${text}T00:00:00Z`);
  // A day that no month has would roll over into the next one.
  return !Number.isNaN(time) && new Date(time).toISOString().startsWith(text);
}

function isDateTime(text: string): boolean {
  const [date = '', time = ''] = text.split(/[T ]/i, 2);
  return isDate(date) && /^\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/i.test(time);
}
