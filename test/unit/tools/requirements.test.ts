import { expect, test } from 'vitest';
import { readRequirements } from '../../../src/tools/requirements.ts';

test.each([
  [{ execution: { taskSupport: 'required' } }, 'required'],
  [{ execution: { taskSupport: 'optional' } }, 'optional'],
  [{ execution: { taskSupport: 'forbidden' } }, 'forbidden'],
  [{ execution: { taskSupport: 'maybe' } }, 'forbidden'],
  [{ execution: null }, 'forbidden'],
  [{}, 'forbidden'],
  [5, 'forbidden'],
])('%j needs of tasks: %s', (tool, taskSupport) => {
  expect(readRequirements(Buffer.from(JSON.stringify(tool)))).toEqual({ taskSupport });
});
