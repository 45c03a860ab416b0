import { type Expression, expressionBuilder, type RawBuilder, sql, type SqlBool } from 'kysely';

import type { PageSize } from '../limits.ts';
import { wholeNumberWithin } from '../rules/errors.ts';
import { type Key, type KeyKind, readCursor } from './cursors.ts';

/** A column that orders a list. Together the columns of an order are unique, and none is null. */
interface KeyColumn {
  readonly column: RawBuilder<unknown>;
  readonly kind: KeyKind;
  readonly descending: boolean;
}

/** An order of a list; cursors carry its name. */
export interface ListOrder {
  readonly name: string;
  readonly columns: readonly KeyColumn[];
}

/** Ascending by time or by a column that grows with it, and the reverse. */
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

/** A list that is read in pages. Its SQL names the id of its parent, where it has one, `parent.id`. */
export interface PagedList {
  /** The tables. A list with an inner limit repeats `place`, the condition on where the page begins, within it. */
  readonly from: (place: Expression<SqlBool>) => RawBuilder<unknown>;
  readonly conditions: readonly Expression<SqlBool>[];
  readonly order: ListOrder;
}

type KeyValue = Key | RawBuilder<unknown>;

/** The start of a page and its length. */
export interface PageBounds {
  readonly first: number;
  /** The keys of the last row of the previous page; null for the first page. */
  readonly after: readonly KeyValue[] | null;
}

/** A page as callers request it. */
export interface PageRequest {
  readonly first?: number | null;
  readonly after?: string | null;
}

export interface PageOfList {
  readonly list: PagedList;
  readonly page: PageBounds;
}

const is = expressionBuilder();

/** SQL of a page after `after`: its rows in order, and a condition that earlier rows exist. */
export function pageParts({ from, conditions, order }: PagedList, after: readonly KeyValue[] | null) {
  const behind = after === null ? is.lit(true) : keysetCondition(order, after, 'after');
  return {
    from: from(behind),
    where: is.and([...conditions, behind]),
    inOrder: orderOf(order),
    /** Built where it is selected: `from` may be a query of its own. */
    hasPrevious: (): Expression<SqlBool> => {
      if (after === null) return is.lit(false);
      const upTo = keysetCondition(order, after, 'upTo');
      return sql<SqlBool>`exists (select from ${from(upTo)} where ${is.and([...conditions, upTo])})`;
    },
  };
}

/** The requested page of a list. Throws `BAD_REQUEST` for a size out of bounds and for a cursor of another list. */
export function pageIn({ name, columns }: ListOrder, { first, after }: PageRequest, size: PageSize): PageBounds {
  const kinds = columns.map(({ kind }) => kind);
  return { first: pageSize('first', first, size), after: after == null ? null : readCursor(name, kinds, after) };
}

export function orderOf({ columns }: ListOrder): RawBuilder<unknown> {
  return sql.join(columns.map(({ column, descending }) => sql`${column} ${sql.raw(descending ? 'desc' : 'asc')}`));
}

type Side = 'after' | 'upTo';

/** Rows behind the place of `keys`, or those up to it, inclusive. The first comparison alone bounds the index scan. */
export function keysetCondition({ columns }: ListOrder, keys: readonly KeyValue[], side: Side): Expression<SqlBool> {
  return columns.reduceRight<Expression<SqlBool>>(
    (inner, { column, descending }, rank) => {
      const strictly = (side === 'after') === descending ? '<' : '>';
      const key = keys[rank];
      return is.and([is(column, `${strictly}=`, key), is.or([is(column, strictly, key), inner])]);
    },
    is.lit(side === 'upTo'),
  );
}

/** The number of rows that a list argument requests. Throws `BAD_REQUEST` outside 1 and the maximum. */
export function pageSize(name: string, value: number | null | undefined, size: PageSize): number {
  return wholeNumberWithin(name, value ?? size.default, { min: 1, max: size.max });
}
