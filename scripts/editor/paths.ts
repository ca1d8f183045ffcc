import { join, resolve } from 'node:path';

/** The folder that holds this repository's package.json. */
export const repositoryRoot = resolve(import.meta.dirname, '..', '..');

/** Holds the downloaded editor; ignored by git and safe to delete. */
export const editorFolder = join(repositoryRoot, '.editor');

/** Where the bundled extension tests are written; also the folder of the test runner extension. */
export const testBundle = join(repositoryRoot, 'dist', 'test');

/** Where a test run leaves its screenshots and the editor's log. */
export const testResults = join(repositoryRoot, 'dist', 'test-results');
