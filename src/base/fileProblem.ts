/** What the codes of the system mean of a file that is read or written, as the end of a sentence. */
const MEANING: ReadonlyMap<unknown, string> = new Map([
  ['EACCES', 'you may not.'],
  ['EPERM', 'you may not.'],
  ['EROFS', 'nothing can be written there.'],
  ['EISDIR', 'it is a folder.'],
  ['ENOTDIR', 'a part of its path is no folder.'],
  ['ENOSPC', 'the disk is full.'],
  ['ENAMETOOLONG', 'its name is too long.'],
  ['ELOOP', 'its links lead in a circle.'],
]);

/** Why a file cannot be read or written, as the end of a sentence; the texts of the system name other files, too. */
export function fileProblem(error: unknown, doing: 'read' | 'write'): string {
  if (!(error instanceof Error)) return String(error);
  const code: unknown = 'code' in error ? error.code : undefined;
  if (code === 'ENOENT') {
    return doing === 'read' ? 'there is no such file.' : 'its folder does not exist.';
  }
  return MEANING.get(code) ?? (typeof code === 'string' ? `${code}.` : error.message);
}
