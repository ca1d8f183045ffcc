import { isAbsolute, resolve } from 'node:path';
import { convertVariables, type ForeignContext } from './foreignVariables.ts';

/** Members by name, as another program's file has them. */
export type Members = Readonly<Record<string, unknown>>;

/** Whether a value has members. */
export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Converts the variables of one entry's texts, and keeps what was found on the way. */
export class Converter {
  readonly notes: string[] = [];
  /** Why a text cannot be converted: the first such reason, as a clause. */
  problem: string | undefined;
  readonly context: ForeignContext;

  constructor(context: ForeignContext) {
    this.context = context;
  }

  /** The same value with the variables of its texts converted. */
  convert(value: unknown): unknown {
    if (Array.isArray(value)) return value.map((item) => this.convert(item));
    if (isObject(value)) {
      const members = Object.entries(value);
      return Object.fromEntries(members.map(([key, each]) => [key, this.convert(each)]));
    }
    if (typeof value !== 'string') return value;
    const converted = convertVariables(value, this.context);
    if (converted.kind === 'problem') {
      this.problem ??= converted.message;
      return value;
    }
    this.notes.push(...converted.notes);
    return converted.text;
  }

  /** A path, which stays at the other program's folder where that is another one. */
  path(value: unknown): unknown {
    const { project, target } = this.context;
    const text = this.convert(value);
    const isRelative = typeof text === 'string' && !isAbsolute(text) && !/^[~$]/.test(text);
    const isElsewhere = project !== undefined && project !== target;
    return isRelative && isElsewhere ? resolve(project, text) : text;
  }
}
