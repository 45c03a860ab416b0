import { sql } from 'kysely';

import { AGENT } from '../reads/plan/agent.ts';
import { ARCHIVE, type ArchiveRow } from '../reads/plan/archive.ts';
import { byAlias } from '../reads/plan/by-alias.ts';
import { parts } from '../reads/plan/parts.ts';
import { type Column as Planned, plain, typedValue } from '../reads/plan/plan.ts';
import { numberedItems } from '../reads/table-functions.ts';
import { estimate } from '../rules/breakdowns.ts';
import { brierFigures } from '../rules/calibration.ts';
import { winRatePct } from '../rules/ranking.ts';
import { type Column, column } from './columns.ts';
import { type ExportList, rowNumber } from './export-list.ts';
import { ARCHIVE_FILTERS } from './filters.ts';

type Standing = ArchiveRow['rankings'][number];

/** A property of a row `t.item` of a frozen board. */
function frozenValue(name: keyof Standing): Planned {
  return ofRow((standing) => standing[name]);
}

/** A value computed from a row `t.item` of a frozen board. */
function ofRow<Value>(read: (standing: Standing) => Value): Planned<Value> {
  return { sql: sql.ref('t.item'), read: (json) => read(typedValue<Standing>(json).value) };
}

function edge(figure: 'mean' | 'low' | 'high') {
  return ofRow(
    ({ edgeN: n, edgeSum, edgeSquares }) =>
      estimate({ n, sum: Number(edgeSum), squareSum: Number(edgeSquares) })?.[figure] ?? null,
  );
}

function skillOf({ competitions, brierSum, referenceBrierSum }: Standing) {
  return brierFigures(competitions, Number(brierSum), Number(referenceBrierSum)).skill;
}

const C = ARCHIVE.columns;
/** Each board stores fewer than 1000 rows. */
const ID = parts(parts(sql.lit(1000), '*', sql.ref<number>('c.number')), '+', sql.ref<number>('t.place'));

const { b, c } = byAlias({ b: 'archives', c: 'archives' });

const NUMBERED = parts
  .selectFrom('archives as b')
  .selectAll()
  .select(rowNumber(b('frozen_at'), b('end_time'), b('period')).as('number'));

const COLUMNS: readonly Column[] = [
  column(
    'id',
    'integer',
    plain(ID),
    "1000 x the board's number + the row's number, ascending in the order of freezing.",
  ),
  column('period', 'text', C.period, 'A UTC day, ISO week or month, such as 2026-11-20, 2026-W47 or 2026-11.'),
  column('kind', 'text', C.kind, 'day, week or month.'),
  column('starts_at', 'instant', C.startTime, 'The start of the period, UTC.'),
  column('ends_at', 'instant', C.endTime, 'Its end, UTC.'),
  column('rounds', 'integer', C.rounds, 'Resolved rounds of the period.'),
  column('agents', 'integer', C.agents, 'Agents on the whole board, of which the first 100 are kept.'),
  column('frozen_at', 'instant', C.frozenAt, 'When the board was written, UTC.'),
  column('rank', 'integer', frozenValue('rank'), 'From 1; equal points share a rank.'),
  column('agent_id', 'integer', frozenValue('agentId'), 'The agent.'),
  column('agent_name', 'text', AGENT.columns.name, "The agent's name."),
  column('total_points', 'integer', frozenValue('points'), 'Points of the period.'),
  column('total_arena_points', 'integer', frozenValue('arenaPoints'), 'Rank bonuses of the period.'),
  column('sim_pnl_total', 'number', frozenValue('pnlUsd'), 'Simulated profit or loss, USD.'),
  column(
    'win_rate',
    'number',
    ofRow(({ wins, competitions }) => winRatePct(wins, competitions)),
    'Percent, 0-100.',
  ),
  column('best_streak', 'integer', frozenValue('bestStreak'), 'Most correct predictions in a row.'),
  column('total_competitions', 'integer', frozenValue('competitions'), 'Scored predictions.'),
  column('total_wins', 'integer', frozenValue('wins'), 'Correct predictions.'),
  column(
    'brier',
    'number',
    ofRow(({ brierSum, competitions }) => Number(brierSum) / competitions),
    'Mean squared error of the confidences, 0-1.',
  ),
  column('skill', 'number', ofRow(skillOf), '1 - Brier / that of even odds, at most 1; null below 20 rounds.'),
  column(
    'edge',
    'number',
    edge('mean'),
    'Mean edge, -2 to 2: a sum over all answers, another scale than brier; null where no price was known.',
  ),
  column('edge_low', 'number', edge('low'), 'The lower end of the 95 % interval; null below 20 predictions.'),
  column('edge_high', 'number', edge('high'), 'The upper end of the 95 % interval; null below 20 predictions.'),
  column('edge_n', 'integer', frozenValue('edgeN'), 'The number of predictions with an edge.'),
];

/** The rows of all frozen boards. Boards are numbered from 1 in the order of freezing, so that numbers never change. */
export const ARCHIVE_LIST: ExportList = {
  name: 'archives',
  columns: COLUMNS,
  filters: ARCHIVE_FILTERS,
  id: ID,
  madeOf: {
    ids: parts.selectFrom(parts.selectFrom('archives').select(rowNumber().as('id')).as('a')).select('a.id'),
    id: sql.ref<number>('c.number'),
    idsOfEach: 1000,
  },
  rows: parts
    .selectFrom(NUMBERED.as('c'))
    .crossJoinLateral(numberedItems('t', parts.fn<Standing>('jsonb_array_elements', [c('rankings')])))
    .innerJoin('agents as a', (join) =>
      join.on((on) => on('a.id', '=', on.cast<number>(on.ref('t.item', '->>').key('agentId'), 'integer'))),
    ),
};
