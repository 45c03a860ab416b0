import { lookup, promises } from 'node:dns';
import { BlockList, isIP, isIPv4 } from 'node:net';

import type { WebhookReach } from '../rules/webhooks.ts';

/** What IANA lists as special: private, shared, local, for documents and tests, for many receivers, reserved. */
const REFUSED_IPV4 = [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24',
  '192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
].flatMap((line) => line.split(' '));
/** Within what is given out to the internet: protocols' own (Teredo among them), documents, 6to4. All else is refused. */
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
 * Whether a number, as an address writes it, is none of the open internet's. Names are not judged. Addresses of version 6 that stand
 * for one of version 4, such as `::ffff:10.0.0.1` and those of NAT64, are none either.
 */
export function isRefusedAddress(host: string): boolean {
  const address = host.replace(/^\[(.*)\]$/, '$1');
  if (isIP(address) === 0) return false;
  if (isIPv4(address)) return refused.check(address, 'ipv4');
  return refused.check(address, 'ipv6') || !internet.check(address, 'ipv6');
}

/** What a name leads to. Rejects where it leads nowhere. */
export type Resolve = (host: string) => Promise<readonly string[]>;

const RESOLVES: Readonly<Record<WebhookReach, Resolve>> = {
  off: () => Promise.reject(new Error('Webhooks are off')),
  /** Not by the system's resolver, a few of whose slow answers would hold up all others; by the name servers of now. */
  async public(host) {
    const resolver = new promises.Resolver({ timeout: 2_000, tries: 2 });
    const found = await Promise.allSettled([resolver.resolve4(host), resolver.resolve6(host)]);
    return found.flatMap((one) => (one.status === 'fulfilled' ? one.value : []));
  },
  /** Closed networks have names that the system alone knows. */
  any: (host) =>
    new Promise((resolve, reject) => {
      lookup(host, { all: true }, (error, found) =>
        error === null ? resolve(found.map(({ address }) => address)) : reject(error),
      );
    }),
};

/** A name must lead to the open internet by all of its addresses; which of them does not, or whether it leads anywhere, is not told. */
export class AddressRefused extends Error {
  override readonly name = 'AddressRefused';
}

/** The address to connect to. Throws `AddressRefused`. */
export async function addressOf(hostname: string, reach: WebhookReach, resolve = RESOLVES[reach]): Promise<string> {
  const host = hostname.replace(/^\[(.*)\]$/, '$1');
  const found = isIP(host) === 0 ? await resolve(host).catch(() => []) : [host];
  const [first] = found;
  if (first === undefined || (reach !== 'any' && found.some(isRefusedAddress))) throw new AddressRefused();
  return first;
}
