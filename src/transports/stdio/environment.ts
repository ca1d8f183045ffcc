/** What to change in the environment that a server inherits; null takes a variable away. */
export type EnvironmentOverrides = Readonly<Record<string, string | null>>;

/** The variables a server starts with: those of this process, with some set or taken away. */
export function mergeEnvironment(
  inherited: NodeJS.ProcessEnv,
  overrides: EnvironmentOverrides,
  platform: NodeJS.Platform = process.platform,
): NodeJS.ProcessEnv {
  const merged = { ...inherited };
  // Windows knows one variable by every spelling of its name; a copy of the environment no longer does.
  const sameName = (a: string, b: string): boolean =>
    platform === 'win32' ? a.toUpperCase() === b.toUpperCase() : a === b;
  for (const [name, value] of Object.entries(overrides)) {
    for (const existing of Object.keys(merged)) {
      if (sameName(existing, name)) delete merged[existing];
    }
    if (value !== null) merged[name] = value;
  }
  return merged;
}

/** The folders in which a bare command is looked for. */
export function searchPath(
  environment: NodeJS.ProcessEnv,
  platform: NodeJS.Platform = process.platform,
): string[] {
  const name = Object.keys(environment).find((key) =>
    platform === 'win32' ? key.toUpperCase() === 'PATH' : key === 'PATH',
  );
  const value = name === undefined ? undefined : environment[name];
  return (value ?? '').split(platform === 'win32' ? ';' : ':').filter((folder) => folder !== '');
}
