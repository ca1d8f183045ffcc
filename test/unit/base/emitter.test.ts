import { expect, onTestFinished, test } from 'vitest';
import { Emitter } from '../../../src/base/emitter.ts';

test('listeners are called in the order in which they came, until they leave', () => {
  const emitter = new Emitter<number>();
  const heard: string[] = [];
  const leave = emitter.event((value) => heard.push(`a${value}`));
  emitter.event((value) => heard.push(`b${value}`));
  emitter.fire(1);
  leave();
  leave();
  emitter.fire(2);
  expect(heard).toEqual(['a1', 'b1', 'b2']);
});

test('one that throws harms neither the others nor whoever fires, and is told of', async () => {
  const warnings: Error[] = [];
  const onWarning = (warning: Error): void => void warnings.push(warning);
  process.on('warning', onWarning);
  onTestFinished(() => void process.off('warning', onWarning));
  const emitter = new Emitter<number>();
  const heard: number[] = [];
  const fault = new Error('a fault of the listener');
  emitter.event(() => {
    throw fault;
  });
  emitter.event((value) => heard.push(value));
  emitter.fire(1);
  expect(heard).toEqual([1]);
  await new Promise((resolve) => setImmediate(resolve));
  expect(warnings).toContain(fault);
});
