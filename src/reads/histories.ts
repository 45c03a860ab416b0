import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import { historySums, type HistorySums, type RecordedRound } from '../rules/history-sums.ts';
import { UNITS } from '../rules/worth.ts';
import type { Period } from '../rules/windows.ts';
import { inWindowById } from './rounds.ts';
import { rows } from './sql.ts';

/** What one or more resolved rounds of an agent that follow each other brought, as a point of a chart of one figure. */
export interface ChartPoint extends Pick<HistorySums, 'roundId' | 'rounds'> {
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
export function pnlPoint(point: HistorySums): ChartPoint {
  return chartPoint(point, 0, CENTS);
}

/** The points of what `historiesOf` gives. */
export function pointsPoint(point: HistorySums): ChartPoint {
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
): Promise<readonly (readonly HistorySums[])[]> {
  const records = await recordsOf(em, agents, {
    window,
    packed: sql`((s.pnl_usd * ${CENTS}::int)::int8 + ${HALF}::int) * ${2 * HALF}::int + (s.score + s.streak_bonus + ${HALF}::int)`,
    of: (packed) => [Math.floor(packed / (2 * HALF)) - HALF, (packed % (2 * HALF)) - HALF],
  });
  return records.map((record) => historySums(record, max));
}

/** The same of the edge. */
export async function edgeHistoriesOf(
  em: SqlEntityManager,
  { window, max }: HistoryRequest,
  agents: readonly number[],
): Promise<readonly (readonly ChartPoint[])[]> {
  const records = await recordsOf(em, agents, {
    window,
    packed: sql`s.edge_millionths::int8 + ${LOWEST}::int8`,
    of: (packed) => [packed - LOWEST],
    only: sql`s.edge_millionths is not null`,
  });
  return records.map((record) => historySums(record, max).map((point) => chartPoint(point, 0, UNITS.edge)));
}

function chartPoint({ roundId, rounds, sums, cumulative }: HistorySums, place: number, unit: number): ChartPoint {
  return { roundId, rounds, value: (sums[place] ?? 0) / unit, cumulative: (cumulative[place] ?? 0) / unit };
}

/** How far below 0 a number of 16 bits reaches: more than P&L in cents, whose stake is 100 USD, or points of a round. */
const HALF = 2 ** 15;
/** The same of 32 bits. */
const LOWEST = 2 ** 31;

interface RecordAsked {
  readonly window: Period;
  /** The figures of a score `s` as one number from 0 to 2^32 - 1, never null. */
  readonly packed: RawBuilder<unknown>;
  /** The figures again. */
  readonly of: (packed: number) => readonly number[];
  readonly only?: RawBuilder<unknown>;
}

/** Bytes of a round in what `recordsOf` reads: its id and its figures, 4 each. */
const ROUND_BYTES = 8;

/**
 * The resolved rounds of a window that each agent predicted, in the order of time. They come as eight bytes a round, one
 * string an agent: as text they take half as long again there and five times here, as rows or summed up by group there twice.
 */
async function recordsOf(
  em: SqlEntityManager,
  agents: readonly number[],
  { window, packed, of, only = sql`true` }: RecordAsked,
): Promise<readonly (readonly RecordedRound[])[]> {
  const found = await rows<{ readonly agentId: number; readonly record: Buffer }>(em)`
    select s.agent_id as "agentId",
      string_agg(int8send((s.round_id::int8 << 32) + ${packed}), '' order by s.round_id) as record
    from scores s
    where s.agent_id = any(${[...agents]}) and ${inWindowById(window)} and ${only}
    group by s.agent_id`;
  const byAgent = new Map(found.map(({ agentId, record }) => [agentId, record]));
  return agents.map((agent) => {
    const bytes = byAgent.get(agent) ?? Buffer.alloc(0);
    return Array.from({ length: bytes.length / ROUND_BYTES }, (_, place) => ({
      id: bytes.readUInt32BE(place * ROUND_BYTES),
      figures: of(bytes.readUInt32BE(place * ROUND_BYTES + ROUND_BYTES / 2)),
    }));
  });
}

/** When each of these rounds ends. Throws where one is not stored. */
export async function roundEnds(em: SqlEntityManager, ids: readonly number[]): Promise<readonly Date[]> {
  const found = await rows<{ readonly id: number; readonly at: Date }>(em)`
    select id, end_time as at from rounds where id = any(${[...ids]}::int[])`;
  const ends = new Map(found.map(({ id, at }) => [id, at]));
  return ids.map((id) => {
    const at = ends.get(id);
    if (at === undefined) throw new Error(`Round ${id} has scores and must be there`);
    return at;
  });
}
