import { type RawBuilder, sql } from 'kysely';

import type { PageSize } from '../limits.ts';
import { wholeNumberWithin } from '../rules/errors.ts';
import { type Key, type KeyKind, readCursor } from './cursors.ts';
import { every } from './sql.ts';

/** A column that a list is ordered by. Together an order's columns are unique, and none is null. */
interface KeyColumn {
  /** The column, or what stands for it, in the list's statement. */
  readonly column: RawBuilder<unknown>;
  readonly kind: KeyKind;
  readonly descending: boolean;
}

/** An order of a list; cursors carry its name. */
export interface ListOrder {
  readonly name: string;
  readonly columns: readonly KeyColumn[];
}

/** By time or what grows with it, and the reverse. */
export function byAge(
  name: string,
  ...columns: readonly Omit<KeyColumn, 'descending'>[]
): Readonly<Record<'OLDEST' | 'NEWEST', ListOrder>> {
  const order = (way: string, descending: boolean): ListOrder => ({
    name: `${name} ${way}`,
    columns: columns.map((column) => ({ ...column, descending })),
  });
  return { OLDEST: order('OLDEST', false), NEWEST: order('NEWEST', true) };
}

/** A list of which pages are read; `parent.id` in its SQL is the parent's, where it has one. */
export interface PagedList {
  /** The tables. A list with a limit further in takes the place where the page begins, or all before, as a condition. */
  readonly from: (place: RawBuilder<unknown>) => RawBuilder<unknown>;
  readonly conditions: readonly RawBuilder<unknown>[];
  readonly order: ListOrder;
}

type Place = Key | RawBuilder<unknown>;

/** Where a page begins and how long it is. */
export interface PageAsked {
  readonly first: number;
  /** The keys of the last row of the page before; null for the first page. */
  readonly after: readonly Place[] | null;
}

/** A page as callers ask for it. */
export interface PageRequest {
  readonly first?: number | null;
  readonly after?: string | null;
}

export interface PageOfList {
  readonly list: PagedList;
  readonly page: PageAsked;
}

/** SQL of a page that begins behind `after`: its rows in order, and whether some come before. */
export function pageParts({ from, conditions, order }: PagedList, after: readonly Place[] | null) {
  const behind = after === null ? sql`true` : beside(order, after, 'after');
  const upTo = after === null ? sql`false` : beside(order, after, 'upTo');
  return {
    from: from(behind),
    where: every([...conditions, behind]),
    inOrder: orderOf(order),
    hasPrevious:
      after === null ? upTo : sql`exists (select 1 from ${from(upTo)} where ${every([...conditions, upTo])})`,
  };
}

/** The page of a list in this order that is asked for; `BAD_REQUEST` for a size out of bounds and a cursor of another list. */
export function pageIn({ name, columns }: ListOrder, { first, after }: PageRequest, size: PageSize): PageAsked {
  const kinds = columns.map(({ kind }) => kind);
  return { first: pageSize('first', first, size), after: after == null ? null : readCursor(name, kinds, after) };
}

export function orderOf({ columns }: ListOrder): RawBuilder<unknown> {
  return sql.join(columns.map(({ column, descending }) => sql`${column} ${sql.raw(descending ? 'desc' : 'asc')}`));
}

type Side = 'after' | 'upTo';

/** Rows behind the place of `keys`, or those up to it with the row itself. The first column bounds the search alone. */
function beside({ columns }: ListOrder, keys: readonly Place[], side: Side): RawBuilder<unknown> {
  return columns.reduceRight<RawBuilder<unknown>>(
    (inner, { column, descending }, place) => {
      const strictly = sql.raw((side === 'after') === descending ? '<' : '>');
      const key = keys[place];
      return sql`${column} ${strictly}= ${key} and (${column} ${strictly} ${key} or (${inner}))`;
    },
    sql.raw(String(side === 'upTo')),
  );
}

/** How many rows a list argument asks for. */
export function pageSize(name: string, value: number | null | undefined, size: PageSize): number {
  return wholeNumberWithin(name, value ?? size.default, { min: 1, max: size.max });
}
