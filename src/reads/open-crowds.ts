import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { steadyMs } from '../clock.ts';
import { beforeDeadline, withoutDeadline } from '../deadline.ts';
import type { Round } from '../entities/round.ts';
import type { DB } from '../entities/tables.ts';
import { SECOND } from '../rules/hours.ts';
import { MINUTE_OF_PREDICTION, type MinuteCount } from './crowd.ts';
import { numberedRows } from './table-functions.ts';

/** An undecided round with its `totalEntries` at the time of the read. */
export type RoundState = Pick<Round, 'id' | 'totalEntries'>;

/**
 * The predictions that each round's `totalEntries` counts, by answer and minute, without standing ones. Predictions are counted in
 * the order of their ids (resolvers/prediction-writer.ts), so these are the round's first.
 */
export type OpenCrowds = (rounds: readonly RoundState[]) => Promise<readonly (readonly MinuteCount[])[]>;

/** The first predictions of a round, counted. */
interface MinuteCounts {
  readonly lastId: number;
  readonly counts: readonly MinuteCount[];
}

interface CachedCount {
  /** Predictions counted. */
  readonly n: number;
  /** The time of its first reader. */
  readonly since: number;
  readonly counted: Promise<MinuteCounts>;
}

type BaseCount = Pick<CachedCount, 'n' | 'counted'>;

const NOTHING: Promise<MinuteCounts> = Promise.resolve({ lastId: 0, counts: [] });
const NOBODY = { n: 0, counted: NOTHING };

/** The time for which all states of a round are kept, in real milliseconds; after it only the newest. */
const KEPT_MS = SECOND;
/** Rounds whose newest state is kept: several wait where prices are missing. */
const KEPT_ROUNDS = 24;

/** Counts each state of a round once, and each prediction once, in one statement for all requested rounds. */
export function openCrowds(newEm: () => SqlEntityManager, nowMs: () => number = steadyMs): OpenCrowds {
  const kept = new Map<number, readonly CachedCount[]>();
  const keepOnly = (id: number, isKept: (one: CachedCount) => boolean): void => {
    const left = (kept.get(id) ?? []).filter(isKept);
    if (left.length > 0) kept.set(id, left);
    else kept.delete(id);
  };
  /** All states of the last second, and the newest one of the rounds that were counted last. */
  const forgetOld = (now: number): void => {
    const surplus = [...kept.keys()].slice(0, -KEPT_ROUNDS);
    for (const id of surplus) kept.delete(id);
    for (const [id, counts] of kept) {
      const newest = Math.max(...counts.map(({ n }) => n));
      keepOnly(id, ({ n, since }) => n === newest || now - since < KEPT_MS);
    }
  };
  const begin = (missing: readonly RoundState[], now: number): void => {
    const bases = missing.map((round) => nearest(kept.get(round.id) ?? [], round) ?? NOBODY);
    const counting = withoutDeadline(() => countOn(newEm, missing, bases));
    for (const [place, { id, totalEntries: n }] of missing.entries()) {
      const counted = counting.then((found) => found[place] ?? NOTHING);
      const one = { n, since: now, counted };
      kept.set(id, [...(kept.get(id) ?? []), one]);
      // The next reader retries.
      counted.catch(() => keepOnly(id, (other) => other !== one));
    }
  };
  return async (rounds) => {
    const now = nowMs();
    forgetOld(now);
    const missing = rounds.filter((round) => countOf(round, kept) === undefined);
    if (missing.length > 0) begin(missing, now);
    const counted = await beforeDeadline(Promise.all(rounds.map((round) => countOf(round, kept)?.counted ?? NOTHING)));
    return counted.map(({ counts }) => counts);
  };
}

function countOf(
  { id, totalEntries }: RoundState,
  kept: ReadonlyMap<number, readonly CachedCount[]>,
): CachedCount | undefined {
  return kept.get(id)?.find(({ n }) => n === totalEntries);
}

/** The largest count that this state includes. */
function nearest(counts: readonly CachedCount[], { totalEntries }: RoundState): BaseCount | undefined {
  return counts.filter(({ n }) => n <= totalEntries).toSorted((one, other) => other.n - one.n)[0];
}

/** Adds to each base the later predictions of its round. */
async function countOn(
  newEm: () => SqlEntityManager,
  rounds: readonly RoundState[],
  bases: readonly BaseCount[],
): Promise<readonly MinuteCounts[]> {
  const before = await Promise.all(bases.map((base) => base.counted));
  const ids = rounds.map(({ id }) => id);
  const lastIds = before.map(({ lastId }) => lastId);
  const more = rounds.map(({ totalEntries }, place) => totalEntries - (bases[place]?.n ?? 0));
  const found = await newEm()
    .getKysely<DB>()
    // The predictions of a round to count: the next `more` after `last_id`.
    .selectFrom(numberedRows('a', { round_id: [ids, 'int'], last_id: [lastIds, 'bigint'], more: [more, 'int'] }))
    .innerJoin('rounds as r', 'r.id', 'a.round_id')
    .crossJoinLateral((a) =>
      a
        .selectFrom('predictions as p')
        .selectAll()
        .whereRef('p.round_id', '=', 'a.round_id')
        .whereRef('p.id', '>', 'a.last_id')
        .orderBy('p.id')
        .limit(a.ref('a.more'))
        .as('p'),
    )
    .groupBy(['a.place', 'r.id', 'p.prediction', MINUTE_OF_PREDICTION])
    .select(['a.place', 'r.id as roundId', 'p.prediction as answer', MINUTE_OF_PREDICTION.as('minute')])
    .select(({ fn, eb }) => {
      const own = eb.not('p.standing');
      const confidences = fn.sum<number>('p.confidence').filterWhere(own);
      return [
        fn.countAll<number>().filterWhere(own).as('n'),
        fn.coalesce(confidences, eb.lit(0)).as('confidenceSum'),
        fn.max('p.id').as('lastId'),
      ];
    })
    .execute();
  const added = Map.groupBy(found, ({ place }) => place - 1);
  return before.map(({ lastId, counts }, place) => {
    const own = added.get(place) ?? [];
    const answered = own.filter(({ n }) => n > 0);
    return {
      lastId: own.reduce((most, one) => Math.max(most, one.lastId), lastId),
      counts: sums([...counts, ...answered]),
    };
  });
}

/** One count for each answer and minute of a round. */
function sums(counts: readonly MinuteCount[]): readonly MinuteCount[] {
  const alike = Map.groupBy(counts, ({ answer, minute }) => `${minute} ${answer}`);
  return [...alike.values()].map((all) =>
    all.reduce((sum, { n, confidenceSum }) => ({
      ...sum,
      n: sum.n + n,
      confidenceSum: sum.confidenceSum + confidenceSum,
    })),
  );
}
