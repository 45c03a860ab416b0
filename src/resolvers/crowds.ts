import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import type { Round } from '../entities/round.ts';
import { fraction, roundHalfAway } from '../rules/fraction.ts';
import type { RoundStatus } from '../rules/round-states.ts';
import type { Context } from './context.ts';

/** One answer's part of a round's predictions. */
export interface CrowdCount {
  readonly roundId: number;
  readonly answer: string;
  readonly n: number;
  readonly confidenceSum: number;
}

interface CrowdAnswer {
  readonly answer: string;
  readonly n: number;
  readonly share: number | null;
  readonly meanConfidence: number | null;
}

export interface Crowd {
  readonly n: number;
  readonly meanConfidence: number | null;
  readonly answers: readonly CrowdAnswer[];
}

/** Whether predictions may still come in: then what the others say is nobody's to copy. */
const OPEN: Readonly<Record<RoundStatus, boolean>> = {
  upcoming: true,
  active: true,
  resolving: false,
  resolved: false,
  void: false,
};

/** What all agents together answered, answers in the order of the round's choices; null while the round is open. */
export async function crowdOf(round: Round, context: Context): Promise<Crowd | null> {
  if (OPEN[round.status]) return null;
  const counts = await context.loaders.crowd.load(round.id);
  const n = counts.reduce((total, one) => total + one.n, 0);
  return {
    n,
    meanConfidence: mean(counts, n),
    answers: round.choices.map((answer) => {
      const given = counts.filter((one) => one.answer === answer);
      const times = given.reduce((total, one) => total + one.n, 0);
      return { answer, n: times, share: n === 0 ? null : times / n, meanConfidence: mean(given, times) };
    }),
  };
}

/** Percent, two decimals. */
function mean(counts: readonly CrowdCount[], n: number): number | null {
  const sum = counts.reduce((total, { confidenceSum }) => total + confidenceSum, 0);
  return n === 0 ? null : Number(roundHalfAway(fraction(sum, n), 2));
}

/** Counts by answer of rounds that are over. A decided round has tallies; those that wait for it are counted. */
export async function crowdCounts(em: SqlEntityManager, rounds: readonly number[]): Promise<readonly CrowdCount[]> {
  const { rows } = await sql<CrowdCount>`
    select round_id as "roundId", prediction as answer, sum(n)::int as n, sum(n * confidence)::float8 as "confidenceSum"
    from (
      select round_id, prediction, confidence, n from round_tallies where round_id = any(${[...rounds]})
      union all
      select p.round_id, p.prediction, p.confidence, 1
      from rounds r join predictions p on p.round_id = r.id
      where r.id = any(${[...rounds]}) and r.status = 'resolving'
    ) t group by round_id, prediction`.execute(em.getKysely());
  return rows;
}
