import fc from 'fast-check';

/** The members of a message but `jsonrpc`, each as raw JSON. */
interface EnvelopeMembers {
  readonly id?: string;
  readonly method?: string;
  readonly params?: string;
  readonly result?: string;
  readonly error?: string;
}

/** Writes a message: always in the same order and with the same white space, whatever is in it. */
export type Envelope = (members: EnvelopeMembers) => string;

const NAMES = ['jsonrpc', 'id', 'method', 'params', 'result', 'error'] as const;

const space = fc.constantFrom('', '', ' ', '\t', '  ');

/** Every order of the members, and white space wherever JSON has room for it. */
export const envelope: fc.Arbitrary<Envelope> = fc
  .tuple(
    fc.shuffledSubarray([...NAMES], { minLength: NAMES.length }),
    fc.array(space, { minLength: 4, maxLength: 4 }),
  )
  .map(([order, [a = '', b = '', c = '', d = '']]) => {
    const write: Envelope = (members) => {
      const whole: Readonly<Record<string, string | undefined>> = { jsonrpc: '"2.0"', ...members };
      const parts = order
        .filter((name) => whole[name] !== undefined)
        .map((name) => `${a}"${name}"${b}:${c}${whole[name] ?? ''}${d}`);
      return `{${parts.join(',')}}`;
    };
    const shown = Object.fromEntries(NAMES.slice(1).map((name) => [name, '…']));
    return Object.assign(write, { [fc.toStringMethod]: () => write(shown) });
  });
