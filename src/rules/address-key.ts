const GROUPS = 8;
const NETWORK_GROUPS = 4;
/** A trusted proxy may pass on any text; no address is longer. */
const LONGEST = 45;
/** Without zone or port: some proxies forward 192.0.2.7:4711 or [2001:db8::9]:4711. */
const HOST = /^\[?([\d.]+(?=:\d+$)|[^\]%]*)/;

/** IPv4 whole, also IPv4-mapped; the first 64 bits of IPv6, since one household holds 2^64 addresses. */
export function addressKey(address: string): string {
  const [, bare = ''] = HOST.exec(address.slice(0, LONGEST)) ?? [];
  if (!bare.includes(':')) return bare;
  const groups = groupsOf(bare);
  if (groups === null) return bare;
  const [high = 0, low = 0] = groups.slice(-2);
  if (groups.slice(0, 5).every((group) => group === 0) && groups[5] === 0xff_ff) {
    return [high >> 8, high & 0xff, low >> 8, low & 0xff].join('.');
  }
  const network = groups.slice(0, NETWORK_GROUPS).map((group) => group.toString(16));
  return `${network.join(':')}::/64`;
}

function groupsOf(address: string): readonly number[] | null {
  if (!/^[\da-f:.]+$/i.test(address)) return null;
  // URL.parse normalizes to hexadecimal groups; `::` replaces groups of zeros.
  const written = URL.parse(`http://[${address}]`)?.hostname.slice(1, -1);
  if (written === undefined) return null;
  const [head = [], tail = []] = written.split('::').map(hexGroups);
  return [...head, ...Array.from({ length: GROUPS - head.length - tail.length }, () => 0), ...tail];
}

function hexGroups(text: string): readonly number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

export function addressBudget(address: string): string {
  return `ip:${addressKey(address)}`;
}

export function isLoopback(address: string): boolean {
  return /^(?:::ffff:)?127(?:\.\d{1,3}){3}$|^::1$/.test(address);
}
