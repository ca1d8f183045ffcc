import { Method } from '../../protocol/methods.ts';
import { getMember, stringOf, type RawJson } from '../../protocol/rawJson.ts';

/** A capability as `requiredCapabilities` spells it. */
export type RequiredCapability = Readonly<Record<string, object>>;

/**
 * The capability that a client lacks for a question, or undefined where it lacks none. An `elicitation` that names no
 * mode means forms (2026-07-28, Elicitation, Capabilities).
 */
export function missingCapability(
  method: string,
  params: RawJson | undefined,
  declares: (...path: string[]) => boolean,
): RequiredCapability | undefined {
  const member = (name: string): RawJson | undefined => params && getMember(params, name);
  switch (method) {
    case Method.rootsList:
      return declares('roots') ? undefined : { roots: {} };
    case Method.createMessage:
      if (!declares('sampling')) return { sampling: {} };
      if (member('tools') === undefined && member('toolChoice') === undefined) return undefined;
      return declares('sampling', 'tools') ? undefined : { sampling: { tools: {} } };
    case Method.elicit: {
      if (!declares('elicitation')) return { elicitation: {} };
      if (stringOf(member('mode')) === 'url') {
        return declares('elicitation', 'url') ? undefined : { elicitation: { url: {} } };
      }
      const hasForms = declares('elicitation', 'form') || !declares('elicitation', 'url');
      return hasForms ? undefined : { elicitation: { form: {} } };
    }
    default:
      return undefined;
  }
}
