import { promises } from 'node:dns';
import { BlockList, isIP, isIPv4 } from 'node:net';

import type { WebhookReach } from '../rules/webhooks.ts';

/** IANA's special networks: private, shared, local, documentation, multicast, reserved. */
const REFUSED_IPV4 = [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24',
  '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
].flatMap((line) => line.split(' '));
/**
 * Special networks within the public range: protocols (such as Teredo), documentation, 6to4. All other ranges are
 * refused.
 */
const REFUSED_IPV6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'];
const INTERNET_IPV6 = ['2000::/3'];

const refused = blockList([...REFUSED_IPV4, ...REFUSED_IPV6]);
const internet = blockList(INTERNET_IPV6);

function blockList(networks: readonly string[]): BlockList {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', bits] = network.split('/');
    list.addSubnet(address, Number(bits), isIPv4(address) ? 'ipv4' : 'ipv6');
  }
  return list;
}

/**
 * True if an IP address is outside the open internet; false for names. IPv6 addresses that embed IPv4, such as
 * `::ffff:10.0.0.1` and those of NAT64, count as outside.
 */
export function isRefusedAddress(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) === 0) return false;
  if (isIPv4(address)) return refused.check(address, 'ipv4');
  return refused.check(address, 'ipv6') || !internet.check(address, 'ipv6');
}

/** Resolves a name to addresses; rejects if there are none. */
export type Resolve = (host: string) => Promise<readonly string[]>;

const RESOLVES: Readonly<Record<WebhookReach, Resolve>> = {
  off: () => Promise.reject(new Error('Webhooks are off')),
  /** The name servers directly: a few slow answers would block the system's resolver for everyone. */
  async public(host) {
    const resolver = new promises.Resolver({ timeout: 2_000, tries: 2 });
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  },
  /** Closed networks have names that only the system resolves. */
  any: async (host) => (await promises.lookup(host, { all: true })).map(({ address }) => address),
};

/** Not all addresses of the name are in the open internet. The message hides which, and whether there are any. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** Throws `AddressRefused`. */
export async function addressOf(hostname: string, reach: WebhookReach, resolve = RESOLVES[reach]): Promise<string> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const found = isIP(host) === 0 ? await resolve(host).catch(() => []) : [host];
  const [first] = found;
  if (first === undefined || (reach !== 'any' && found.some(isRefusedAddress))) throw new AddressRefused();
  return first;
}
