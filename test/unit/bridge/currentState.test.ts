import { expect, test } from 'vitest';
import { CurrentState } from '../../../src/bridge/currentState.ts';
import type { ServerState } from '../../../src/bridge/events.ts';

test('what is shown is told once, whatever becomes of the server beneath it', () => {
  const told: ServerState['kind'][] = [];
  const state = new CurrentState(({ kind }) => told.push(kind));
  state.set({ kind: 'starting' });
  state.set({ kind: 'running', era: 'legacy', revision: '2025-06-18', evidence: 'initialize' });
  state.onSignIn({ kind: 'failed', message: 'It wants you to sign in.' });
  state.set({ kind: 'stopped' });
  expect(told).toEqual(['starting', 'running', 'needsSignIn']);
  expect(state.shown.kind).toBe('needsSignIn');
  state.onSignIn({ kind: 'signedIn' });
  expect(told.at(-1)).toBe('stopped');
});
