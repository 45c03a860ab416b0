import { rewriteBoards } from '../../src/jobs/standings/board-statements.ts';
import type { Arena } from '../support/arena.ts';

const SUMS = (
  'points arena_points wins competitions pnl_usd brier_sum reference_brier_sum points_square_sum ' +
  'skill_square_sum edge_sum edge_square_sum without_edge contribution_sum peer_sum choices_4 choices_8 chance_pnl_sum chance_pnl_variance ' +
  'arena_edges arena_edge_sum arena_edge_square_sum standing_n standing_wins'
).split(' ');
const COLUMNS = [
  ...['daily', 'weekly', 'monthly', 'alltime'].flatMap((period) => SUMS.map((sum) => `${period}_${sum}`)),
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
  await rewriteBoards(arena.newEm());
}
