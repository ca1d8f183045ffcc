import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { ListWatcher } from '../../../src/bridge/listWatcher.ts';

const TOOLS = 'notifications/tools/list_changed';

function watch() {
  let list = ['{"name":"a"}'];
  const log: string[] = [];
  const entries = (): Buffer[] => list.map((entry) => Buffer.from(entry));
  const watcher: ListWatcher = new ListWatcher({
    fetch: (method) => {
      log.push(`list ${method}`);
      return Promise.resolve(entries());
    },
    announce: (notification) => log.push(`announce ${notification}`),
    onLoop: (method) => log.push(`loop ${method}`),
  });
  return {
    watcher,
    log,
    hold: () => watcher.hold('tools/list', entries()),
    become: (next: string[]) => {
      list = next;
    },
  };
}

describe('a list that is announced as changed', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test('is looked at once for a whole burst, and announced once if it changed', async () => {
    const { watcher, log, hold, become } = watch();
    hold();
    become(['{"name":"b"}']);
    for (let i = 0; i < 200; i++) watcher.changed(TOOLS);
    await vi.advanceTimersByTimeAsync(1000);
    expect(log).toEqual(['list tools/list', `announce ${TOOLS}`]);
  });

  test('is not announced if it is what the client holds, in whatever order and spelling', async () => {
    const { watcher, log, hold, become } = watch();
    become(['{"name":"a","n":1}', '{"name":"b"}']);
    hold();
    become(['{ "name":"b"}', '{"n":1,"name":"\\u0061"}']);
    watcher.changed(TOOLS);
    await vi.advanceTimersByTimeAsync(1000);
    expect(log).toEqual(['list tools/list']);
  });

  test('is announced unseen to a client that never asked for it', async () => {
    const { watcher, log } = watch();
    watcher.changed(TOOLS);
    await vi.advanceTimersByTimeAsync(1000);
    expect(log).toEqual([`announce ${TOOLS}`]);
  });

  test('again and again without a change is looked at ever more rarely, and reported', async () => {
    const { watcher, log, hold } = watch();
    hold();
    for (let second = 0; second < 600; second++) {
      watcher.changed(TOOLS);
      await vi.advanceTimersByTimeAsync(1000);
    }
    expect(log.filter((line) => line.startsWith('loop'))).toEqual(['loop tools/list']);
    expect(log.filter((line) => line.startsWith('list')).length).toBeLessThan(25);
    expect(log.some((line) => line.startsWith('announce'))).toBe(false);
  });

  test('changes while it is looked at, and is looked at again', async () => {
    const { watcher, log, hold, become } = watch();
    hold();
    watcher.changed(TOOLS);
    await vi.advanceTimersByTimeAsync(100);
    become(['{"name":"b"}']);
    watcher.changed(TOOLS);
    await vi.advanceTimersByTimeAsync(1000);
    expect(log.at(-1)).toBe(`announce ${TOOLS}`);
  });

  test('is not looked at after the session is over', async () => {
    const { watcher, log, hold } = watch();
    hold();
    watcher.changed(TOOLS);
    watcher.close();
    watcher.changed(TOOLS);
    await vi.advanceTimersByTimeAsync(1000);
    expect(log).toEqual([]);
  });
});
