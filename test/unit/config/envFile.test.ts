import { expect, test } from 'vitest';
import { parseEnvText } from '../../../src/config/envFile.ts';

test.each<[string, Record<string, string>]>([
  ['', {}],
  ['\uFEFFA=1\r\nB = two words \n', { A: '1', B: 'two words' }],
  ['# A=1\nexport B="x # y" # z\n', { B: 'x # y' }],
  ['A="line\nbreak"\nB=\'$A "${A}"\'\n', { A: 'line\nbreak', B: '$A "${A}"' }],
  ['A=\nnot a line\nA=again\n', { A: 'again' }],
])('%j', (text, env) => {
  expect(parseEnvText(text)).toEqual(env);
});
