/**
 * Finds the addresses of a host name. Not the system's `getaddrinfo`: it waits in the threads that also read files, so
 * that the slow name server of an endpoint would delay decodes.
 */
import { Resolver } from 'node:dns/promises';
import { readFile } from 'node:fs/promises';
import { isIP } from 'node:net';

/** The addresses of a host name; none when they cannot be found. */
export type Resolve = (host: string) => Promise<readonly string[]>;

/** Milliseconds that a name server has for a response, and how often it is asked. */
const patience = { timeout: 1500, tries: 2 };

/** Milliseconds for all name servers together. */
const longest = 4000;

/** Resolves names by the hosts file, then by DNS. `servers` replaces the system's name servers. */
export function createResolve(servers: readonly string[] | null = null): Resolve {
  const resolver = new Resolver(patience);
  if (servers !== null) resolver.setServers(servers);
  return async (host) => {
    const name = host.replace(/^\[(.*)\]$/, '$1');
    if (isIP(name) > 0) return [name];
    const plain = name.replace(/\.$/, '').toLowerCase();
    // always loopback (RFC 6761), regardless of what a name server returns
    if (plain === 'localhost' || plain.endsWith('.localhost')) return ['127.0.0.1', '::1'];
    const listed = await findInHosts(plain);
    if (listed.length > 0) return listed;
    const found = Promise.allSettled([resolver.resolve4(plain), resolver.resolve6(plain)]);
    return (await within(longest, found)).flatMap((one) =>
      one.status === 'fulfilled' ? one.value : [],
    );
  };
}

/** The list, or an empty one when it takes longer. */
async function within<T>(milliseconds: number, list: Promise<readonly T[]>): Promise<readonly T[]> {
  const { promise, resolve } = Promise.withResolvers<readonly T[]>();
  const timer = setTimeout(() => resolve([]), milliseconds);
  return Promise.race([list, promise]).finally(() => clearTimeout(timer));
}

async function findInHosts(name: string): Promise<readonly string[]> {
  const text = await readFile('/etc/hosts', 'utf8').catch(() => '');
  return text.split('\n').flatMap((line) => {
    const [address = '', ...names] = line.replace(/#.*/, '').trim().split(/\s+/);
    const isListed = names.some((one) => one.toLowerCase() === name);
    return isListed && isIP(address) > 0 ? [address] : [];
  });
}
