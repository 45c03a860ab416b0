import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { steadyMs } from '../clock.ts';
import { beforeDeadline, withoutDeadline } from '../deadline.ts';
import { SECOND } from '../rules/hours.ts';
import { MINUTE_OF_PREDICTION, type MinuteCount } from './crowd.ts';
import { rows } from './sql.ts';
import type { Round } from '../entities/round.ts';

/** A round that is not decided, in the state in which it was read. */
export type RoundState = Pick<Round, 'id' | 'totalEntries'>;

/**
 * The predictions of each round that its `totalEntries` counts, by answer and minute, but for what was standing. Ids of predictions grow in the
 * order in which they are counted (resolvers/prediction-writer.ts), so these are its first ones.
 */
export type OpenCrowds = (rounds: readonly RoundState[]) => Promise<readonly (readonly MinuteCount[])[]>;

/** The first predictions of a round, counted. */
interface Counted {
  readonly lastId: number;
  readonly counts: readonly MinuteCount[];
}

interface Kept {
  /** How many predictions it counts. */
  readonly n: number;
  /** When the count began that this one goes on from. */
  readonly since: number;
  readonly counted: Promise<Counted>;
}

const NOTHING: Promise<Counted> = Promise.resolve({ lastId: 0, counts: [] });

/** How long counts go on from one another, in real milliseconds: a round of thousands is not counted for every reader. */
const KEPT_MS = SECOND;

/** Counts each state of a round once, and each prediction once a second, in one statement for all that are asked for. */
export function openCrowds(newEm: () => SqlEntityManager): OpenCrowds {
  const kept = new Map<number, readonly Kept[]>();
  const keepOnly = (id: number, isKept: (one: Kept) => boolean): void => {
    const left = (kept.get(id) ?? []).filter(isKept);
    if (left.length > 0) kept.set(id, left);
    else kept.delete(id);
  };
  const begin = (missing: readonly RoundState[], now: number): void => {
    const bases = missing.map(
      (round) => nearest(kept.get(round.id) ?? [], round) ?? { n: 0, since: now, counted: NOTHING },
    );
    const counting = withoutDeadline(() => countOn(newEm, missing, bases));
    for (const [place, { id, totalEntries: n }] of missing.entries()) {
      const counted = counting.then((found) => found[place] ?? NOTHING);
      const one = { n, since: bases[place]?.since ?? now, counted };
      kept.set(id, [...(kept.get(id) ?? []), one]);
      // Who comes next tries again.
      counted.catch(() => keepOnly(id, (other) => other !== one));
    }
  };
  return async (rounds) => {
    const now = steadyMs();
    for (const id of kept.keys()) keepOnly(id, ({ since }) => now - since < KEPT_MS);
    const missing = rounds.filter((round) => countOf(round, kept) === undefined);
    if (missing.length > 0) begin(missing, now);
    const counted = await beforeDeadline(Promise.all(rounds.map((round) => countOf(round, kept)?.counted ?? NOTHING)));
    return counted.map(({ counts }) => counts);
  };
}

function countOf({ id, totalEntries }: RoundState, kept: ReadonlyMap<number, readonly Kept[]>): Kept | undefined {
  return kept.get(id)?.find(({ n }) => n === totalEntries);
}

/** The count of the most predictions that all belong to this state. */
function nearest(counts: readonly Kept[], { totalEntries }: RoundState): Kept | undefined {
  return counts.filter(({ n }) => n <= totalEntries).toSorted((one, other) => other.n - one.n)[0];
}

/** Adds to each base what its round has beyond it. */
async function countOn(
  newEm: () => SqlEntityManager,
  rounds: readonly RoundState[],
  bases: readonly Kept[],
): Promise<readonly Counted[]> {
  const before = await Promise.all(bases.map((base) => base.counted));
  const ids = rounds.map(({ id }) => id);
  const lastIds = before.map(({ lastId }) => lastId);
  const more = rounds.map(({ totalEntries }, place) => totalEntries - (bases[place]?.n ?? 0));
  const found = await rows<MinuteCount & { readonly place: number; readonly lastId: number }>(newEm())`
    select a.place::int, r.id as "roundId", p.prediction as answer, ${MINUTE_OF_PREDICTION} as minute,
      count(*) filter (where not p.standing)::int as n,
      coalesce(sum(p.confidence) filter (where not p.standing), 0)::float8 as "confidenceSum", max(p.id)::float8 as "lastId"
    from unnest(${ids}::int[], ${lastIds}::bigint[], ${more}::int[]) with ordinality as a(round_id, last_id, more, place)
    join rounds r on r.id = a.round_id
    cross join lateral (
      select * from predictions where round_id = a.round_id and id > a.last_id order by id limit a.more) p
    group by 1, 2, 3, 4`;
  const added = Map.groupBy(found, ({ place }) => place - 1);
  return before.map(({ lastId, counts }, place) => {
    const own = added.get(place) ?? [];
    const said = own.filter(({ n }) => n > 0);
    return {
      lastId: own.reduce((most, one) => Math.max(most, one.lastId), lastId),
      counts: sums([...counts, ...said]),
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
