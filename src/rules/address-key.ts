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
  if (!/^[\da-f:.]+$/i.test(address)) return null;
  // As hexadecimal groups, however it was written; `::` stands for those that are left out.
  const written = URL.parse(`http://[${address}]`)?.hostname.slice(1, -1);
  if (written === undefined) return null;
  const [head = [], tail = []] = written.split('::').map(hexGroups);
  return [...head, ...Array.from({ length: GROUPS - head.length - tail.length }, () => 0), ...tail];
}

function hexGroups(text: string): readonly number[] {
  return text === '' ? [] : text.split(':').map((group) => Number.parseInt(group, 16));
}

/** The key of the budgets that the callers of an address share. */
export function addressBudget(address: string): string {
  return `ip:${addressKey(address)}`;
}

/** Whether an address is one by which a machine reaches itself. */
export function isLoopback(address: string): boolean {
  return /^(?:::ffff:)?127(?:\.\d{1,3}){3}$|^::1$/.test(address);
}
