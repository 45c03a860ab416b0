import { rewriteBoards } from '../../src/jobs/ledger/board-places.ts';
import { SUMS } from '../../src/rules/sums.ts';
import { PERIODS } from '../../src/rules/windows.ts';
import type { Arena } from '../support/arena.ts';

const COLUMNS = [
  ...PERIODS.flatMap((period) => Object.values(SUMS).map(({ column }) => `${period}_${column}`)),
  'current_streak',
  'best_streak',
];

export type StandingRow = { readonly agent_id: number } & Readonly<Record<string, number | string>>;

/** Puts standings straight into the database, with their boards; what a row leaves out is 0, its tier bronze. */
export async function insertStandings(arena: Arena, rows: readonly StandingRow[]): Promise<void> {
  const none = { ...Object.fromEntries(COLUMNS.map((column) => [column, 0])), tier: 'bronze' };
  await arena.query('insert into standings select * from jsonb_populate_recordset(null::standings, $1)', [
    JSON.stringify(rows.map((row) => ({ ...none, ...row }))),
  ]);
  await rewriteBoards(arena.newEm(), 'standings');
}
