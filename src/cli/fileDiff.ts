import { createTwoFilesPatch } from 'diff';

/** What would change in a file, as a unified diff that `patch` reads; empty where nothing would. */
export function fileDiff(name: string, before: string | undefined, after: string): string {
  if (before === after) return '';
  const from = before === undefined ? '/dev/null' : name;
  return createTwoFilesPatch(from, name, before ?? '', after, '', '', {
    context: 3,
    headerOptions: { includeIndex: false, includeUnderline: false, includeFileHeaders: true },
  });
}
