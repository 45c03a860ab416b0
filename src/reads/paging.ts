import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import type { PageSize } from '../limits.ts';
import { refused } from '../rules/errors.ts';
import { type Key, type KeyKind, readCursor, writeCursor } from './cursors.ts';
import { every, rows } from './sql.ts';

/** A column that a list is ordered by. Together an order's columns are unique, and none is null. */
interface KeyColumn<Row> {
  /** The column, or what stands for it, in the list's statement. */
  readonly column: RawBuilder<unknown>;
  readonly kind: KeyKind;
  readonly descending: boolean;
  /** The name that it has in a row of the statement, and its value there. */
  readonly property: string & keyof Row;
  readonly of: (row: Row) => Key;
}

/** An order of a list; cursors carry its name. */
export interface ListOrder<Row> {
  readonly name: string;
  readonly columns: readonly KeyColumn<Row>[];
}

/** A list of which pages are read, one for each parent; `parent.id` in its SQL is the parent's. */
export interface PagedList<Row> {
  readonly columns: RawBuilder<unknown>;
  /** The tables. A list with a limit further in takes the place where the page begins, or all before, as a condition. */
  readonly from: (place: RawBuilder<unknown>) => RawBuilder<unknown>;
  readonly conditions: readonly RawBuilder<unknown>[];
  readonly order: ListOrder<Row>;
}

/** Where a page begins and how long it is. */
export interface PageAsked {
  readonly first: number;
  /** The keys of the last row of the page before; null for the first page. */
  readonly after: readonly Key[] | null;
}

/** Rows in order, one more than `first` when others follow. */
export interface Page<Row> {
  readonly rows: readonly Row[];
  readonly hasPrevious: boolean;
}

type Raw<Row> = Row & { readonly parentId: number; readonly hasPrevious: boolean; readonly found: true | null };

/**
 * The page of each parent, in the order of `parents`: one statement, in which each page is read for itself. Whether there is
 * one before it is looked up once (`offset 0`), not for each row: at 1,000 results far into a round half of the time.
 */
export async function readPages<Row extends object>(
  em: SqlEntityManager,
  list: PagedList<Row>,
  asked: PageAsked & { readonly parents: readonly number[] },
): Promise<readonly Page<Row>[]> {
  const { columns, order } = list;
  const { from, where, inOrder, hasPrevious } = pageParts(list, asked.after);
  const read = await rows<Raw<Row>>(em)`
    select parent.id as "parentId", p.there as "hasPrevious", x.*
    from unnest(${[...asked.parents]}::int[]) as parent(id)
    left join lateral (
      select true as found, ${columns} from ${from} where ${where} order by ${inOrder} limit ${asked.first + 1}
    ) x on true
    cross join lateral (select ${hasPrevious} as there offset 0) p
    order by parent.id, ${orderOf(order, ({ property }) => sql.ref(`x.${property}`))}`;
  const byParent = Map.groupBy(read, ({ parentId }) => parentId);
  return asked.parents.map((parent) => {
    const found = byParent.get(parent) ?? [];
    return { rows: found.filter((row) => row.found !== null), hasPrevious: found[0]?.hasPrevious ?? false };
  });
}

/** SQL of a page that begins behind `after`: its rows in order, and whether some come before. */
export function pageParts<Row>({ from, conditions, order }: PagedList<Row>, after: readonly Key[] | null) {
  const behind = after === null ? sql`true` : beside(order, after, 'after');
  const upTo = after === null ? sql`false` : beside(order, after, 'upTo');
  return {
    from: from(behind),
    where: every([...conditions, behind]),
    inOrder: orderOf(order, ({ column }) => column),
    hasPrevious:
      after === null ? upTo : sql`exists (select 1 from ${from(upTo)} where ${every([...conditions, upTo])})`,
  };
}

/** The cursor of a row. */
function cursorOf<Row>({ name, columns }: ListOrder<Row>, row: Row): string {
  return writeCursor(
    name,
    columns.map(({ kind }) => kind),
    columns.map(({ of }) => of(row)),
  );
}

/** The keys in a caller's cursor, null without one; `BAD_REQUEST` when it is no cursor of this list in this order. */
export function keysIn<Row>(order: ListOrder<Row>, cursor: string | null | undefined): readonly Key[] | null {
  const kinds = order.columns.map(({ kind }) => kind);
  return cursor == null ? null : readCursor(order.name, kinds, cursor);
}

/** SQL of the order, with `nameOf` for each column. */
export function orderOf<Row>(
  { columns }: ListOrder<Row>,
  nameOf: (column: KeyColumn<Row>) => RawBuilder<unknown>,
): RawBuilder<unknown> {
  return sql.join(columns.map((column) => sql`${nameOf(column)} ${sql.raw(column.descending ? 'desc' : 'asc')}`));
}

type Side = 'after' | 'upTo';

/** Rows behind the place of `keys`, or those up to it with the row itself. The first column bounds the search alone. */
function beside<Row>({ columns }: ListOrder<Row>, keys: readonly Key[], side: Side): RawBuilder<unknown> {
  return columns.reduceRight<RawBuilder<unknown>>(
    (inner, { column, descending }, place) => {
      const strictly = sql.raw((side === 'after') === descending ? '<' : '>');
      const key = keys[place];
      return sql`${column} ${strictly}= ${key} and (${column} ${strictly} ${key} or (${inner}))`;
    },
    sql.raw(String(side === 'upTo')),
  );
}

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

/** The number itself when it is whole and within the bounds; otherwise a `BAD_REQUEST` that names it. Never clamps. */
export function wholeNumberWithin(name: string, value: number, bounds: { min: number; max: number }): number {
  if (Number.isInteger(value) && value >= bounds.min && value <= bounds.max) return value;
  throw refused(name, `a whole number from ${bounds.min} to ${bounds.max}`, value);
}

/** How many rows a list argument asks for. */
export function pageSize(name: string, value: number | null | undefined, size: PageSize): number {
  return wholeNumberWithin(name, value ?? size.default, { min: 1, max: size.max });
}
