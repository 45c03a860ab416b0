import { type Key, writeCursor } from '../../src/reads/cursors.ts';
import type { PageOfList } from '../../src/reads/paging.ts';

function compared(keys: readonly Key[], others: readonly Key[], descending: readonly boolean[]): number {
  for (const [at, key] of keys.entries()) {
    const other = others[at] ?? key;
    if (key < other) return descending[at] === true ? 1 : -1;
    if (key > other) return descending[at] === true ? -1 : 1;
  }
  return 0;
}

/** Rows by their keys, ascending unless said otherwise of each. */
export function inOrder<Row>(
  rows: readonly Row[],
  keysOf: (row: Row) => readonly Key[],
  descending: readonly boolean[] = [],
) {
  return rows.toSorted((one, other) => compared(keysOf(one), keysOf(other), descending));
}

/** A page of these rows, of which the list says in which order they come and where the page begins. */
export function paged<Row>(
  { list, page: { first, after } }: PageOfList,
  rows: readonly Row[],
  keysOf: (row: Row) => Key[],
) {
  const { name, columns } = list.order;
  const descending = columns.map((column) => column.descending);
  const sorted = inOrder(rows, keysOf, descending);
  const begin = after?.map((key) => (typeof key === 'object' && !(key instanceof Date) ? '' : key));
  const behind = begin === undefined ? sorted : sorted.filter((row) => compared(keysOf(row), begin, descending) > 0);
  const edges = behind.slice(0, first).map((node) => ({ node, cursor: writeCursor(name, keysOf(node)) }));
  return {
    edges,
    nodes: edges.map(({ node }) => node),
    pageInfo: {
      hasNextPage: behind.length > first,
      hasPreviousPage: behind.length < sorted.length,
      startCursor: edges.at(0)?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}
