import { cursorOf, type ListOrder, type Page } from './keyset.ts';

/** A page of a list in the form of Relay's connections. */
export interface Connection<Node> {
  readonly nodes: readonly Node[];
  readonly edges: readonly { readonly node: Node; readonly cursor: string }[];
  readonly pageInfo: {
    readonly hasNextPage: boolean;
    readonly hasPreviousPage: boolean;
    readonly startCursor: string | null;
    readonly endCursor: string | null;
  };
}

/** The connection of a page that was read for `first` rows and one more. */
export function connectionOf<Row, Node>(
  page: Page<Row>,
  { first, order }: { readonly first: number; readonly order: ListOrder<Row> },
  nodeOf: (row: Row) => Node,
): Connection<Node> {
  const edges = page.rows.slice(0, first).map((row) => ({ node: nodeOf(row), cursor: cursorOf(order, row) }));
  return {
    nodes: edges.map(({ node }) => node),
    edges,
    pageInfo: {
      hasNextPage: page.rows.length > first,
      hasPreviousPage: page.hasPrevious,
      startCursor: edges.at(0)?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}
