import { sql } from 'kysely';

import { AGENT } from '../reads/plan/agent.ts';
import { ARCHIVE, type ArchiveRow } from '../reads/plan/archive.ts';
import { type Column as Planned, made, plain } from '../reads/plan/plan.ts';
import { estimate } from '../rules/breakdowns.ts';
import { brierFigures } from '../rules/calibration.ts';
import { winRatePct } from '../rules/ranking.ts';
import { type Column, column, selectList } from './columns.ts';
import type { ExportList } from './export-list.ts';
import { ARCHIVE_FILTERS } from './filters.ts';

type Standing = ArchiveRow['rankings'][number];

/** What a place `t.item` of a frozen board was kept with. */
function kept(name: keyof Standing): Planned {
  return ofPlace((standing) => standing[name]);
}

/** What follows from that. */
function ofPlace<Value>(read: (standing: Standing) => Value): Planned<Value> {
  return { sql: sql`t.item`, read: (json) => read(made<Standing>(json).value) };
}

function edge(figure: 'mean' | 'low' | 'high') {
  return ofPlace(
    ({ edgeN: n, edgeSum, edgeSquares }) =>
      estimate({ n, sum: Number(edgeSum), squareSum: Number(edgeSquares) })?.[figure] ?? null,
  );
}

function skillOf({ competitions, brierSum, referenceBrierSum }: Standing) {
  return brierFigures(competitions, Number(brierSum), Number(referenceBrierSum)).skill;
}

const C = ARCHIVE.columns;
/** More than a board keeps places. */
const ID = sql`(1000 * c.number + t.place)`;

const COLUMNS: readonly Column[] = [
  column('id', 'integer', plain(ID), "1000 x the board's number + the row's, ascending as boards were frozen."),
  column('period', 'text', C.period, 'A UTC day, ISO week or month, such as 2026-11-20, 2026-W47 or 2026-11.'),
  column('kind', 'text', C.kind, 'day, week or month.'),
  column('starts_at', 'instant', C.startTime, 'The start of the period, UTC.'),
  column('ends_at', 'instant', C.endTime, 'Its end, UTC.'),
  column('rounds', 'integer', C.rounds, 'Resolved rounds of the period.'),
  column('agents', 'integer', C.agents, 'Agents on the whole board, of which the first 100 are kept.'),
  column('frozen_at', 'instant', C.frozenAt, 'When the board was written, UTC.'),
  column('rank', 'integer', kept('rank'), 'From 1; equal points share a rank.'),
  column('agent_id', 'integer', kept('agentId'), 'The agent.'),
  column('agent_name', 'text', AGENT.columns.name, "The agent's name."),
  column('total_points', 'integer', kept('points'), 'Points of the period.'),
  column('total_arena_points', 'integer', kept('arenaPoints'), 'Rank bonuses of the period.'),
  column('sim_pnl_total', 'number', kept('pnlUsd'), 'Simulated profit or loss, USD.'),
  column(
    'win_rate',
    'number',
    ofPlace(({ wins, competitions }) => winRatePct(wins, competitions)),
    'Percent, 0-100.',
  ),
  column('best_streak', 'integer', kept('bestStreak'), 'Most correct predictions in a row.'),
  column('total_competitions', 'integer', kept('competitions'), 'Scored predictions.'),
  column('total_wins', 'integer', kept('wins'), 'Correct predictions.'),
  column(
    'brier',
    'number',
    ofPlace(({ brierSum, competitions }) => Number(brierSum) / competitions),
    'Mean squared error of the confidences, 0-1.',
  ),
  column('skill', 'number', ofPlace(skillOf), '1 - Brier / that of even odds, at most 1; null below 20 rounds.'),
  column(
    'edge',
    'number',
    edge('mean'),
    'Mean edge, -2 to 2: a sum over all answers, another scale than brier; null where no price was known.',
  ),
  column('edge_low', 'number', edge('low'), '95 % interval; null where too few.'),
  column('edge_high', 'number', edge('high'), '95 % interval; null where too few.'),
  column('edge_n', 'integer', kept('edgeN'), 'Predictions that the edge is of.'),
];

/** A row a place of each frozen board. Boards are numbered from 1 as they were frozen: none comes in between later. */
export const ARCHIVE_LIST: ExportList = {
  name: 'archives',
  columns: COLUMNS,
  filters: ARCHIVE_FILTERS,
  id: ID,
  madeOf: {
    from: sql`(select row_number() over () as id from archives) a`,
    id: sql`c.number`,
    idsOfEach: 1000,
  },
  select: sql`
    select ${selectList(COLUMNS)}
    from (select *, row_number() over (order by frozen_at, end_time, period) as number from archives) c
    cross join lateral jsonb_array_elements(c.rankings) with ordinality t(item, place)
    join agents a on a.id = (t.item ->> 'agentId')::int`,
};
