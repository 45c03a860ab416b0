import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import { historySums, type HistorySums, type RecordedRound } from '../rules/history-sums.ts';
import { UNITS } from '../rules/worth.ts';
import type { Period } from '../rules/windows.ts';
import { inWindowById } from './rounds.ts';
import { rows } from './sql.ts';

/** One or more resolved rounds of an agent that follow each other. */
export interface HistoryPoint extends HistorySums {
  /** The end of the last of them. */
  readonly at: Date;
}

/** The same as a point of a chart of one figure. */
export interface ChartPoint extends Pick<HistoryPoint, 'at' | 'roundId' | 'rounds'> {
  readonly value: number;
  readonly cumulative: number;
}

export interface HistoryRequest {
  readonly window: Period;
  /** The greatest number of points. */
  readonly max: number;
}

const CENTS = 100;

/** The P&L of what `historiesOf` gives, in USD. */
export function pnlPoint(point: HistoryPoint): ChartPoint {
  return chartPoint(point, 0, CENTS);
}

/** The points of what `historiesOf` gives. */
export function pointsPoint(point: HistoryPoint): ChartPoint {
  return chartPoint(point, 1, 1);
}

/**
 * What the rounds of a window brought to several agents, in the order of time: P&L in cents and points. The index
 * `scores_agent_rounds` holds all of it: no row of an agent's scattered scores is visited.
 */
export async function historiesOf(
  em: SqlEntityManager,
  { window, max }: HistoryRequest,
  agents: readonly number[],
): Promise<readonly (readonly HistoryPoint[])[]> {
  const records = await recordsOf(em, agents, {
    window,
    figures: [sql`s.pnl_usd`, sql`s.score + s.streak_bonus`],
    of: ([pnl = 0, points = 0]) => [Math.round(pnl * CENTS), points],
  });
  return pointsOf(em, records, max);
}

/**
 * The same of the edge. No index holds it: each score is visited, which takes longer the longer the record is.
 */
export async function edgeHistoriesOf(
  em: SqlEntityManager,
  { window, max }: HistoryRequest,
  agents: readonly number[],
): Promise<readonly (readonly ChartPoint[])[]> {
  const asked = { window, figures: [sql`s.edge_millionths`], only: sql`s.edge_millionths is not null` };
  const records = await recordsOf(em, agents, asked);
  const series = await pointsOf(em, records, max);
  return series.map((points) => points.map((point) => chartPoint(point, 0, UNITS.edge)));
}

function chartPoint({ at, roundId, rounds, sums, cumulative }: HistoryPoint, place: number, unit: number): ChartPoint {
  return { at, roundId, rounds, value: (sums[place] ?? 0) / unit, cumulative: (cumulative[place] ?? 0) / unit };
}

interface RecordAsked {
  readonly window: Period;
  /** Of a score `s`, never null. */
  readonly figures: readonly RawBuilder<unknown>[];
  readonly only?: RawBuilder<unknown>;
  /** What is made of a round's figures; they themselves unless given. */
  readonly of?: (figures: readonly number[]) => readonly number[];
}

/**
 * The resolved rounds of a window that each agent predicted, in the order of time. They come as one text an agent: rows
 * of their own take twice the processor time here, and sums by group in the database twice there.
 */
async function recordsOf(
  em: SqlEntityManager,
  agents: readonly number[],
  { window, figures, only = sql`true`, of = (own) => own }: RecordAsked,
): Promise<readonly (readonly RecordedRound[])[]> {
  const found = await rows<{ readonly agentId: number; readonly record: string }>(em)`
    select s.agent_id as "agentId",
      string_agg(concat_ws(' ', s.round_id, ${sql.join(figures)}), ' ' order by s.round_id) as record
    from scores s
    where s.agent_id = any(${[...agents]}) and ${inWindowById(window)} and ${only}
    group by s.agent_id`;
  const byAgent = new Map(found.map(({ agentId, record }) => [agentId, record.split(' ').map(Number)]));
  const width = 1 + figures.length;
  return agents.map((agent) => {
    const numbers = byAgent.get(agent) ?? [];
    return Array.from({ length: numbers.length / width }, (_, place) => {
      const [id = 0, ...own] = numbers.slice(place * width, (place + 1) * width);
      return { id, figures: of(own) };
    });
  });
}

/** The points of these records, each at the end of its last round. */
async function pointsOf(
  em: SqlEntityManager,
  records: readonly (readonly RecordedRound[])[],
  max: number,
): Promise<readonly (readonly HistoryPoint[])[]> {
  const series = records.map((record) => historySums(record, max));
  const ids = [...new Set(series.flatMap((points) => points.map(({ roundId }) => roundId)))];
  const found = await rows<{ readonly id: number; readonly at: Date }>(em)`
    select id, end_time as at from rounds where id = any(${ids}::int[])`;
  const ends = new Map(found.map(({ id, at }) => [id, at]));
  return series.map((points) =>
    points.map((point) => {
      const at = ends.get(point.roundId);
      if (at === undefined) throw new Error(`Round ${point.roundId} has scores and must be there`);
      return { ...point, at };
    }),
  );
}
