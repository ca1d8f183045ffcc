/** Closes an exhaustive switch: a new arm of the union then fails to compile here. */
export function assertNever(value: never): never {
  throw new Error(`Unexpected value: ${JSON.stringify(value)}`);
}
