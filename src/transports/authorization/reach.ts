import { lookup } from 'node:dns';
import { BlockList, isIP, type LookupFunction } from 'node:net';

/** How far an address reaches: out into the world, within a network, only this machine, or only this cable. */
type Reach = 'public' | 'private' | 'loopback' | 'link';

const RANGES: readonly (readonly [Exclude<Reach, 'public'>, string, number])[] = [
  ['loopback', '127.0.0.0', 8],
  ['loopback', '::1', 128],
  ['link', '169.254.0.0', 16],
  ['link', 'fe80::', 10],
  // "This network" and the unspecified address lead to this machine on many systems.
  ['loopback', '0.0.0.0', 8],
  ['loopback', '::', 128],
  ['private', '10.0.0.0', 8],
  ['private', '100.64.0.0', 10],
  ['private', '172.16.0.0', 12],
  ['private', '192.168.0.0', 16],
  ['private', '198.18.0.0', 15],
  ['private', 'fc00::', 7],
  // Addresses that carry one of IPv4 inside, which may be any of those above.
  ['private', '64:ff9b::', 96],
  ['private', '2002::', 16],
];

const LISTS = new Map<Exclude<Reach, 'public'>, BlockList>();
for (const [reach, network, prefix] of RANGES) {
  const list = LISTS.get(reach) ?? new BlockList();
  list.addSubnet(network, prefix, isIP(network) === 6 ? 'ipv6' : 'ipv4');
  LISTS.set(reach, list);
}

/** How far an IP address reaches. */
function reachOf(address: string): Reach {
  const family = isIP(address) === 6 ? 'ipv6' : 'ipv4';
  for (const [reach, list] of LISTS) if (list.check(address, family)) return reach;
  return 'public';
}

/** The name or address of a URL as the system takes it. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}

function resolved(host: string): Promise<readonly string[]> {
  return new Promise((resolve) => {
    lookup(host, { all: true }, (error, found) => {
      resolve(error === null ? found.map(({ address }) => address) : []);
    });
  });
}

/**
 * Which addresses a server may send the bridge to: those that reach as far as its own. A server out in the world has no
 * say over what is asked inside of this network, and nobody over this cable's own addresses, where clouds keep secrets.
 */
export class Reachable {
  readonly #host: string;
  #own: Promise<ReadonlySet<Reach>> | undefined;

  /** `server` was named by the user. */
  constructor(server: URL) {
    this.#host = hostOf(server);
  }

  /** True where nothing speaks against a URL yet; a name is looked at again when it has been looked up. */
  async allows(url: URL): Promise<boolean> {
    const host = hostOf(url);
    if (host === this.#host) return true;
    if (isIP(host) !== 0) return this.#allowsAddress(host);
    return !isLocalName(host) || this.#allowsAddress('127.0.0.1');
  }

  /** Looks up names as the system does, but finds only addresses that are allowed. */
  readonly lookup: LookupFunction = (host, options, callback) => {
    lookup(host, { ...options, all: true }, (error, found) => {
      if (error !== null) {
        callback(error, []);
        return;
      }
      void this.#allowed(host, found).then((allowed) => {
        const [first] = allowed;
        if (first === undefined) callback(forbidden(), []);
        else if (options.all === true) callback(null, allowed);
        else callback(null, first.address, first.family);
      });
    });
  };

  async #allowed<T extends { address: string }>(host: string, found: readonly T[]): Promise<T[]> {
    if (host === this.#host) return [...found];
    const verdicts = await Promise.all(found.map(({ address }) => this.#allowsAddress(address)));
    return found.filter((_, i) => verdicts[i]);
  }

  async #allowsAddress(address: string): Promise<boolean> {
    const reach = reachOf(address);
    if (reach === 'public') return true;
    if (reach === 'link') return false;
    const own = await (this.#own ??= this.#findOwn());
    return own.has(reach) || (reach === 'private' && own.has('loopback'));
  }

  async #findOwn(): Promise<ReadonlySet<Reach>> {
    const addresses = isIP(this.#host) === 0 ? await resolved(this.#host) : [this.#host];
    return new Set(addresses.map(reachOf));
  }
}

function isLocalName(host: string): boolean {
  return host === 'localhost' || host.endsWith('.localhost');
}

/** The code that a refused address fails with. */
export const FORBIDDEN_ADDRESS = 'FORBIDDEN_ADDRESS';

function forbidden(): NodeJS.ErrnoException {
  return Object.assign(new Error('The address is not allowed.'), { code: FORBIDDEN_ADDRESS });
}
