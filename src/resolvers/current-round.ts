import { sql } from 'kysely';

import type { Statements } from '../database/statements.ts';
import { beforeDeadline, withoutDeadline } from '../deadline.ts';
import { type Column, fieldsNamed, list, one, valueOf } from '../reads/plan/plan.ts';
import { type RoundRow, ROUNDS } from '../reads/plan/round.ts';
import { roundRow } from '../reads/plan/rows.ts';
import { onConnections, type ReadColumn } from '../reads/plan/read-column.ts';
import { hourOf } from '../rules/hours.ts';
import type { RoundStatus } from '../rules/round-states.ts';

export interface RoundRequest {
  readonly row: Column<RoundRow | null>;
  readonly read: ReadColumn;
  /** Reads from the primary, after this process has reconciled the rounds. */
  readonly readAgain: ReadColumn;
}

export type Reconcile = () => Promise<void>;

interface ReconcileContext {
  readonly services: { readonly reconcile: Reconcile };
}

/** The first caller after the turn of an hour reconciles the rounds itself, so that no moment is without one. */
export async function roundRunningAt(
  { services: { reconcile } }: ReconcileContext,
  now: Date,
  { row, read, readAgain }: RoundRequest,
): Promise<RoundRow | null> {
  const ofHour = one(withStatus(row), ROUNDS.where('r.start_time', '=', hourOf(now)));
  const found = await read(ofHour);
  // The running round may be void by an operator; reconciling would change nothing.
  const isPresent = found?.status === 'active' || found?.status === 'void';
  const present = isPresent ? found : await afterReconciling(reconcile, () => readAgain(ofHour));
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

const OPEN_ROUND = roundRow(fieldsNamed('id', 'endTime', 'choices'));

export function openRoundAt(
  { urgent, reconcile }: { readonly urgent: Statements; readonly reconcile: Reconcile },
  now: Date,
): Promise<RoundRow | null> {
  const read = onConnections(urgent);
  return roundRunningAt({ services: { reconcile } }, now, { row: OPEN_ROUND, read, readAgain: read });
}

export async function roundStartingAfter(
  { services: { reconcile } }: ReconcileContext,
  now: Date,
  { row, read, readAgain }: RoundRequest,
): Promise<RoundRow | null> {
  const coming = ROUNDS.where('r.status', 'in', [
    sql.lit<RoundStatus>('upcoming'),
    sql.lit<RoundStatus>('active'),
  ]).where('r.start_time', '>', now);
  const next = one(row, coming.orderBy('r.start_time').limit(sql.lit(1)));
  return (await read(next)) ?? afterReconciling(reconcile, () => readAgain(next));
}

async function afterReconciling<Found>(reconcile: Reconcile, find: () => Promise<Found>): Promise<Found> {
  await beforeDeadline(withoutDeadline(reconcile));
  return find();
}
