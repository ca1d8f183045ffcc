import { createVSIX } from '@vscode/vsce';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { repositoryRoot } from './paths.ts';

/** Packages the extension the way it is published; answers the path of the package. */
export async function packageExtension(folder = repositoryRoot): Promise<string> {
  await mkdir(join(repositoryRoot, 'dist'), { recursive: true });
  const packagePath = join(repositoryRoot, 'dist', 'mcp-rosetta.vsix');
  await createVSIX({
    cwd: folder,
    packagePath,
    dependencies: false,
    allowMissingRepository: true,
    // The picture in the README is in the package; there is no web address to link it from.
    rewriteRelativeLinks: false,
  });
  return packagePath;
}

if (import.meta.main) console.log(await packageExtension());
