import { sql } from 'kysely';

import { beforeDeadline, withoutDeadline } from '../deadline.ts';
import { type Column, list, one, valueOf } from '../reads/plan/plan.ts';
import { type RoundRow, ROUNDS } from '../reads/plan/round.ts';
import type { ReadColumn } from '../reads/plan/read-column.ts';
import { hourOf } from '../rules/hours.ts';
import type { RoundStatus } from '../rules/round-states.ts';

export type Reconcile = () => Promise<void>;

export interface RoundRequest {
  readonly row: Column<RoundRow | null>;
  readonly read: ReadColumn;
  readonly reconcile: Reconcile;
  /** Reads from the primary, after this process has reconciled the rounds. */
  readonly readAgain: ReadColumn;
}

/** The first caller after the turn of an hour reconciles the rounds itself, so that no moment is without one. */
export async function roundRunningAt(now: Date, request: RoundRequest): Promise<RoundRow | null> {
  const ofHour = one(withStatus(request.row), ROUNDS.where('r.start_time', '=', hourOf(now)));
  const found = await request.read(ofHour);
  // The running round may be void by an operator; reconciling would change nothing.
  const isPresent = found?.status === 'active' || found?.status === 'void';
  const present = isPresent ? found : await afterReconciling(request, ofHour);
  return present?.status === 'active' ? present.round : null;
}

function withStatus(row: Column<RoundRow | null>) {
  return {
    sql: list([sql.ref('r.status'), row.sql]),
    read(json: unknown): { readonly status: RoundStatus; readonly round: RoundRow | null } | null {
      if (!Array.isArray(json)) return null;
      return { status: json[0], round: valueOf(row, json[1]) };
    },
  };
}

export async function roundStartingAfter(now: Date, request: RoundRequest): Promise<RoundRow | null> {
  const coming = ROUNDS.where('r.status', 'in', [
    sql.lit<RoundStatus>('upcoming'),
    sql.lit<RoundStatus>('active'),
  ]).where('r.start_time', '>', now);
  const next = one(request.row, coming.orderBy('r.start_time').limit(sql.lit(1)));
  return (await request.read(next)) ?? afterReconciling(request, next);
}

async function afterReconciling<Found>({ reconcile, readAgain }: RoundRequest, wanted: Column<Found>): Promise<Found> {
  await beforeDeadline(withoutDeadline(reconcile));
  return readAgain(wanted);
}
