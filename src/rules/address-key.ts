const MAPPED_IPV4 = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;
const GROUPS = 8;
const NETWORK_GROUPS = 4;
/** No address is longer; what a trusted proxy passes on may be any text. */
const LONGEST = 45;

/**
 * What counts as one address: an IPv4 address whole, also where it is mapped into IPv6, and of an IPv6 address the first
 * 64 bits, since a household or a rented server holds 2^64 of them.
 */
export function addressKey(address: string): string {
  const [bare = ''] = address.slice(0, LONGEST).split('%', 1);
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

/** The eight groups of an IPv6 address, or null for a text that is none. */
function groupsOf(address: string): readonly number[] | null {
  const mapped = MAPPED_IPV4.exec(address)?.[1];
  if (mapped !== undefined) return [0, 0, 0, 0, 0, 0xff_ff, ...ipv4Groups(mapped)];
  const [before = '', after, ...more] = address.split('::');
  const head = hexGroups(before);
  const tail = after === undefined ? [] : hexGroups(after);
  const missing = GROUPS - head.length - tail.length;
  if (more.length > 0 || missing < 0 || (after === undefined && missing > 0)) return null;
  const groups = [...head, ...Array.from({ length: missing }, () => 0), ...tail];
  return groups.every((group) => Number.isInteger(group)) ? groups : null;
}

function hexGroups(text: string): readonly number[] {
  if (text === '') return [];
  return text.split(':').map((group) => (/^[\da-f]{1,4}$/i.test(group) ? Number.parseInt(group, 16) : Number.NaN));
}

function ipv4Groups(address: string): readonly number[] {
  const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
  return [a * 256 + b, c * 256 + d];
}

/** The key of the budgets that the callers of an address share. */
export function addressBudget(address: string): string {
  return `ip:${addressKey(address)}`;
}
