import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { Round } from '../entities/round.ts';
import { PAGE_SIZES } from '../limits.ts';
import { pageSize } from './argument.ts';
import { type Connection, connectionOf } from './connection.ts';
import { keysIn, type ListOrder, readPages } from './keyset.ts';
import { roundConditions } from './round-filter.ts';
import type { QueryRoundsArgs, RoundOrder } from './schema-types.ts';

/** A row of the table, with the database's own names. */
interface RoundColumns {
  readonly start_time: Date;
}

const START = {
  column: sql`r.start_time`,
  kind: 'instant',
  property: 'start_time',
  of: ({ start_time: start }: RoundColumns) => start,
} as const;

const ORDERS: Readonly<Record<RoundOrder, ListOrder<RoundColumns>>> = {
  NEWEST: { name: 'rounds NEWEST', columns: [{ ...START, descending: true }] },
  OLDEST: { name: 'rounds OLDEST', columns: [{ ...START, descending: false }] },
};

/** A page of rounds. The cursor is a round's start, so that new rounds neither hide nor repeat any. */
export async function roundPage(em: SqlEntityManager, args: Partial<QueryRoundsArgs>): Promise<Connection<Round>> {
  const first = pageSize('first', args.first, PAGE_SIZES.recentRounds);
  const order = ORDERS[args.orderBy ?? 'NEWEST'];
  const list = { columns: sql`r.*`, from: () => sql`rounds r`, conditions: roundConditions(args), order };
  const [page] = await readPages<RoundColumns>(em, list, { first, after: keysIn(order, args.after), parents: [0] });
  return connectionOf(page ?? { rows: [], hasPrevious: false }, { first, order }, (row) => em.map(Round, { ...row }));
}
