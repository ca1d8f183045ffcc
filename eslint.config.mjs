import { readFileSync } from 'node:fs';
import tseslint from 'typescript-eslint';

/** Which folders of `src/` each folder may import: the one statement of the architecture's layers. */
const layers = JSON.parse(readFileSync(new URL('layers.json', import.meta.url), 'utf8'));

/** One block per folder, because flat config replaces a rule's options instead of merging them. */
const layerRules = Object.entries(layers).map(([folder, allowed]) => ({
  files: [`src/${folder}/**/*.ts`],
  rules: {
    '@typescript-eslint/no-restricted-imports': [
      'error',
      {
        paths: allowed.includes('vscode')
          ? []
          : [{ name: 'vscode', message: 'Only src/extension knows the editor.' }],
        patterns: Object.keys(layers)
          .filter((other) => other !== folder && !allowed.includes(other))
          .map((other) => ({
            regex: `^(\\.\\./)+${other}/`,
            message: `src/${folder} may not import src/${other} (layers.json).`,
          })),
      },
    ],
  },
}));

export default tseslint.config(
  { ignores: ['dist/', '.editor/', 'node_modules/', 'coverage/', 'examples/**'] },
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.recommendedTypeChecked],
    languageOptions: {
      parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname },
    },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/switch-exhaustiveness-check': [
        'error',
        { considerDefaultExhaustiveForUnions: true },
      ],
      '@typescript-eslint/restrict-template-expressions': [
        'error',
        { allowNumber: true, allowBoolean: true },
      ],
      '@typescript-eslint/require-await': 'off',
      'max-lines': ['error', { max: 400, skipBlankLines: true, skipComments: true }],
    },
  },
  ...layerRules,
);
