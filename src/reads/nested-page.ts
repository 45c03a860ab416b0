import { type RawBuilder, sql } from 'kysely';

import { constantText, listText, membersText } from './answer-text.ts';
import type { Key } from './cursors.ts';
import { writeCursor } from './cursors.ts';
import { instant, type Nested, nestedMany, plain, type RowPlan, type Wanted } from './nested.ts';
import { type ListOrder, type PageAsked, type PagedList, pageParts } from './paging.ts';

/**
 * A page as a connection, of which only what is wanted is read: no cursors, and no look beyond the page, unless asked
 * for. Null where rows are asked for twice, as nodes and as edges.
 */
export function nestedPage<Row>(
  list: PagedList<Row>,
  { first, after }: PageAsked,
  {
    rowName,
    rowOf,
    selected,
  }: { readonly rowName: string; readonly rowOf: RowPlan; readonly selected: readonly Wanted[] },
): Nested | null {
  const asked = askedOf(selected);
  const [wanted = [], ...more] = asked.rows;
  if (more.length > 0) return null;
  const row = rowOf(wanted);
  const { from, where, inOrder, hasPrevious } = pageParts(list, after);
  const limit = asked.next ? first + 1 : first;
  const item = asked.cursors
    ? withKeys(row, list.order)
    : { sql: row.sql, read: (json: unknown) => ({ node: row.read(json), cursor: '' }) };
  const items = nestedMany(item, sql`${from} where ${where} order by ${inOrder} limit ${sql.lit(limit)}`);
  const before = asked.previous ? hasPrevious : sql`false`;
  return {
    sql: sql`json_build_array(${items.sql}, ${before})`,
    text: pageText(selected, { rowName, text: row.text }, (one) =>
      listText(one, sql`${from} where ${where} order by ${inOrder} limit ${sql.lit(first)}`),
    ),
    read(json) {
      const [found, previous]: readonly unknown[] = Array.isArray(json) ? json : [];
      const all = items.read(found);
      return connection(Array.isArray(all) ? all : [], first, previous === true);
    },
  };
}

type ListOf = (item: RawBuilder<unknown>) => RawBuilder<unknown>;

/** Where nothing is asked for around the rows. */
function pageText(
  selected: readonly Wanted[],
  { rowName, text }: { readonly rowName: string; readonly text: RawBuilder<unknown> | undefined },
  listOf: ListOf,
): RawBuilder<unknown> | undefined {
  if (text === undefined) return undefined;
  return membersText(selected, {
    __typename: () => constantText(`${rowName}Connection`),
    nodes: () => listOf(text),
    edges(edge) {
      const item = membersText(edge, { __typename: () => constantText(`${rowName}Edge`), node: () => text });
      return item && listOf(item);
    },
  });
}

interface Edge {
  readonly node: unknown;
  readonly cursor: string;
}

function connection(found: readonly Edge[], first: number, hasPreviousPage: boolean) {
  const edges = found.length > first ? found.slice(0, first) : found;
  return {
    edges,
    nodes: edges.map(({ node }) => node),
    pageInfo: {
      hasNextPage: found.length > first,
      hasPreviousPage,
      startCursor: edges.at(0)?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

/** What is wanted of a connection: of its rows, for each time that they are asked for, and of what is around them. */
function askedOf(selected: readonly Wanted[]) {
  const edges = under(selected, 'edges').flatMap((one) => one.selected);
  const info = under(selected, 'pageInfo').flatMap((one) => one.selected);
  return {
    rows: [...under(selected, 'nodes'), ...under(edges, 'node')].map((one) => one.selected),
    cursors: under(edges, 'cursor').length + under(info, 'startCursor', 'endCursor').length > 0,
    next: under(info, 'hasNextPage').length > 0,
    previous: under(info, 'hasPreviousPage').length > 0,
  };
}

function under(from: readonly Wanted[], ...names: readonly string[]): readonly Wanted[] {
  return from.filter(({ name }) => names.includes(name));
}

/** A row with the keys that its cursor is made of. */
function withKeys<Row>(row: Nested, { name, columns }: ListOrder<Row>): Nested {
  const kinds = columns.map(({ kind }) => kind);
  const keys = columns.map(({ kind, column }) => (kind === 'instant' ? instant(column) : plain(column)));
  return {
    sql: sql`json_build_array(${sql.join([row.sql, ...keys.map((key) => key.sql)])})`,
    read(json) {
      const [node, ...values]: readonly unknown[] = Array.isArray(json) ? json : [];
      const read = values.map((value, at) => keys[at]?.read(value)).filter(isKey);
      return { node: row.read(node), cursor: writeCursor(name, kinds, read) };
    },
  };
}

function isKey(value: unknown): value is Key {
  return typeof value === 'number' || typeof value === 'string' || value instanceof Date;
}
