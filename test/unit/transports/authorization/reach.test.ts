import { describe, expect, test } from 'vitest';
import { Reachable } from '../../../../src/transports/authorization/reach.ts';

const allows = (server: string, target: string): Promise<boolean> =>
  new Reachable(new URL(server)).allows(new URL(target));

const WORLD = 'https://1.1.1.1/mcp';
const NETWORK = 'https://10.0.0.5/mcp';
const MACHINE = 'http://127.0.0.1:3000/mcp';

describe('where a server may send the bridge', () => {
  test.each([
    [WORLD, 'https://8.8.8.8/a', true],
    [WORLD, 'https://auth.example.com/a', true],
    [NETWORK, 'https://10.9.9.9/a', true],
    [NETWORK, 'https://8.8.8.8/a', true],
    [MACHINE, 'http://localhost:4000/a', true],
    [MACHINE, 'https://192.168.1.1/a', true],
    // Its own address is its own affair.
    ['http://169.254.1.1/mcp', 'http://169.254.1.1/a', true],
    ...[
      'http://127.0.0.1/a',
      'http://127.9.9.9/a',
      'http://localhost/a',
      'http://localhost./a',
      'http://a.localhost/a',
      'http://[::1]/a',
      'http://0.0.0.0/a',
      'http://2130706433/a',
      'http://0x7f.1/a',
      'http://[::ffff:127.0.0.1]/a',
      'http://10.0.0.1/a',
      'http://172.16.0.1/a',
      'http://192.168.0.1/a',
      'http://100.64.0.1/a',
      'http://[fd00::1]/a',
      'http://[fd00:ec2::254]/latest',
      'http://[64:ff9b::a00:1]/a',
      'http://[::ffff:10.0.0.1]/a',
      'http://169.254.169.254/latest/meta-data',
      'http://[fe80::1]/a',
      'http://[::ffff:169.254.169.254]/a',
    ].map((target): [string, string, boolean] => [WORLD, target, false]),
    [NETWORK, 'http://127.0.0.1/a', false],
    [NETWORK, 'http://169.254.169.254/a', false],
    [MACHINE, 'http://169.254.169.254/a', false],
  ])('%s to %s: %s', async (server, target, allowed) => {
    expect(await allows(server, target)).toBe(allowed);
  });
});

test('a name that leads into the network is not found on behalf of a server out in the world', async () => {
  const { lookup } = new Reachable(new URL(WORLD));
  const code = await new Promise((resolve) => {
    lookup('localhost', {}, (error) => resolve(error?.code));
  });
  expect(code).toBe('FORBIDDEN_ADDRESS');
  const own = new Reachable(new URL(MACHINE));
  const found = await new Promise((resolve) => {
    own.lookup('localhost', { all: true }, (_error, addresses) => resolve(addresses));
  });
  expect(found).toContainEqual({ address: '127.0.0.1', family: 4 });
});
