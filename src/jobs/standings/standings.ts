import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { codeOf, LOCK_NOT_AVAILABLE, reason, STILL_NEEDED } from '../../database/failures.ts';
import { moveCounts, readFloors, rewriteBoards, updateBoards } from './board-statements.ts';
import { withPlannerHint } from '../planner-hints.ts';
import { mayRebuild, rebuildStandings } from './standing-rebuild.ts';
import { STANDING_COLUMNS, standingsAfter, TIER_OF_STANDING, type TierChange } from './standing-statements.ts';
import type { WindowMoves } from './window-moves.ts';
import { HOUR, SECOND } from '../../rules/hours.ts';
import { TIERS } from '../../rules/tiers.ts';
import { PERIODS, WINDOW_LENGTHS } from '../../rules/windows.ts';
import { sumList, payoffSql, RECOUNTED } from './sum-columns.ts';

/**
 * From so many scores on, and from a quarter of all standings, everybody's standing is written anew, without the log and
 * the dead row an agent that an update in their places would leave.
 */
export const REBUILD = { scores: 20_000, shareOfStandings: 1 / 4 } as const;

/**
 * Moves standings, ranks and boards as the round's scores, which are written, ask for; returns whose tier changed. A
 * round that few predicted touches what belongs to them, by key: it costs the same however many agents there are. A
 * round of many is cheaper by rewriting all. Both give the same; a test holds them together.
 */
export async function updateStandings(
  transaction: SqlEntityManager,
  moves: WindowMoves,
  rebuildFrom: number,
): Promise<Updated> {
  const { standings, isCounted, hasRules } = await stateOfStandings(transaction);
  const isLarge = moves.scores >= rebuildFrom && moves.scores >= standings * REBUILD.shareOfStandings;
  const rebuilt = isLarge ? await rebuildIfFree(transaction, moves) : { attached: [] };
  if ('tierChanges' in rebuilt) {
    await rewriteBoards(transaction);
    return { tierChanges: rebuilt.tierChanges, attached: [] };
  }
  const { attached } = rebuilt;
  if (hasRules) {
    const tierChanges = await moveUnderRules(transaction, moves);
    await rewriteBoards(transaction);
    return { tierChanges, attached };
  }
  const floors = await readFloors(transaction);
  const { tierChanges, touched } = await moveStandings(transaction, moves, { isCounted });
  await (isCounted ? updateBoards(transaction, floors, touched) : rewriteBoards(transaction));
  return { tierChanges, attached };
}

interface Updated {
  readonly tierChanges: readonly TierChange[];
  /** What others have attached to `standings`, where it kept them from being written anew. */
  readonly attached: readonly string[];
}

/** How many there are, whether the counts behind the ranks belong to the boards as they are, and whether others have made rules. */
async function stateOfStandings(transaction: SqlEntityManager) {
  const { rows } = await sql<{ standings: number; isCounted: boolean; hasRules: boolean }>`
    select coalesce((select sum(agents) from board_counts where period = 'alltime' and bits = 12), 0)::int as standings,
      coalesce(ranks_counted_at = boards_updated_at, false) as "isCounted",
      (select relhasrules from pg_class where oid = 'standings'::regclass) as "hasRules"
    from platform where id = 1`.execute(transaction.getKysely());
  return rows[0] ?? { standings: 0, isCounted: false, hasRules: false };
}

/**
 * Not where it may not be done: the table is another role's, others have attached something to it, also at the last
 * moment, or somebody reads it for long, such as a backup.
 */
async function rebuildIfFree(transaction: SqlEntityManager, moves: WindowMoves) {
  if (!(await mayRebuild(transaction))) return { attached: [] };
  try {
    return await transaction.transactional((inner) => rebuildStandings(inner, moves));
  } catch (error) {
    if (codeOf(error) === LOCK_NOT_AVAILABLE) return { attached: [] };
    if (codeOf(error) === STILL_NEEDED) return { attached: [reason(error)] };
    throw error;
  }
}

/** Writes the standings that the moves touch in their places, and, where they are kept, the counts behind the ranks. */
async function moveStandings(
  transaction: SqlEntityManager,
  moves: WindowMoves,
  { isCounted }: { readonly isCounted: boolean },
): Promise<{ readonly tierChanges: readonly TierChange[]; readonly touched: readonly number[] }> {
  const columns = sql.raw(STANDING_COLUMNS.join(', '));
  const updates = STANDING_COLUMNS.slice(1).map((column) => `${column} = excluded.${column}`);
  const { rows } = await withPlannerHint(transaction, 'keyLookups', () =>
    sql<TierChange>`
      with after as materialized (${standingsAfter(moves, 'touched')}),
      ${isCounted ? sql`moved as (${moveCounts('after')}),` : sql``}
      written as (
        insert into standings (${columns}) select ${columns} from after order by agent_id
        on conflict (agent_id) do update set ${sql.raw(updates.join(', '))}
      )
      select agent_id as "agentId", tier_before as "from", tier as "to" from after order by agent_id`.execute(
      transaction.getKysely(),
    ),
  );
  return {
    tierChanges: rows.filter(({ from, to }) => from !== to),
    touched: rows.map(({ agentId }) => agentId),
  };
}

/**
 * The same where somebody has made rules for `standings`: PostgreSQL then takes no `on conflict`, and no statement with
 * another one around it. So who is new gets an empty standing first, and the counts are not kept.
 */
async function moveUnderRules(transaction: SqlEntityManager, moves: WindowMoves): Promise<readonly TierChange[]> {
  const database = transaction.getKysely();
  const columns = STANDING_COLUMNS.slice(1);
  const nothing = columns.map((column) => (column === 'tier' ? `'${TIERS[0]?.tier}'` : '0'));
  const updates = columns.map((column) => `${column} = after.${column}`);
  return withPlannerHint(transaction, 'keyLookups', async () => {
    await sql`
      insert into standings (agent_id, ${sql.raw(columns.join(', '))})
      select agent_id, ${sql.raw(nothing.join(', '))} from scores s
      where round_id = ${moves.round.id} and not exists (select from standings where agent_id = s.agent_id)`.execute(
      database,
    );
    const after = standingsAfter(moves, 'touched');
    const { rows } = await sql<TierChange>`
      select agent_id as "agentId", tier_before as "from", tier as "to" from (${after}) after
      where tier <> tier_before order by agent_id`.execute(database);
    await sql`
      update standings set ${sql.raw(updates.join(', '))} from (${after}) after
      where after.agent_id = standings.agent_id`.execute(database);
    return rows;
  });
}

/**
 * Adds up from all scores what versions before 0.3 do not keep in standings, where the newest resolution was one of
 * theirs; returns whose tier changes by it. Under the lock of resolutions. It reads the history once, after an upgrade.
 */
export async function recountSums(transaction: SqlEntityManager): Promise<readonly TierChange[]> {
  const database = transaction.getKysely();
  const { rows } = await sql<{ isKept: boolean }>`
    select coalesce(sums_kept_at = boards_updated_at, false) as "isKept" from platform where id = 1`.execute(database);
  if (rows[0]?.isKept === true) return [];
  const changes = await withPlannerHint(transaction, 'hashJoins', () => recount(transaction));
  await sql`update platform set sums_kept_at = boards_updated_at where id = 1`.execute(database);
  return changes;
}

async function recount(transaction: SqlEntityManager): Promise<readonly TierChange[]> {
  const database = transaction.getKysely();
  const { rows: counts } = await sql<{ count: number }>`
    select distinct jsonb_array_length(choices) as count from rounds where status = 'resolved'`.execute(database);
  if (counts.length === 0) return [];
  const payoff = payoffSql(
    counts.map(({ count }) => count),
    sql`r.choice_count`,
  );
  const sums = PERIODS.flatMap((period) =>
    RECOUNTED.map((column) => `coalesce(sum(${column}) filter (where in_${period}), 0) as ${period}_${column}`),
  );
  const sets = PERIODS.flatMap((period) => RECOUNTED.map((column) => `${period}_${column} = x.${period}_${column}`));
  await sql`
    update standings t set ${sql.raw(sets.join(', '))} from (
      select agent_id, ${sql.raw(sums.join(', '))} from (
        select s.agent_id, r.*, ${sumList(payoff, (figure) => figure)}
        from scores s join (select id, jsonb_array_length(choices) as choice_count, ${IN_WINDOWS} from rounds
          cross join (select newest_resolved_end as newest from platform where id = 1) p where status = 'resolved') r
          on r.id = s.round_id
      ) one group by agent_id
    ) x where x.agent_id = t.agent_id`.execute(database);
  const { rows } = await sql<TierChange>`
    with next as materialized (select n.agent_id, n.tier as before, ${TIER_OF_STANDING} as tier from standings n),
    written as (
      update standings t set tier = n.tier from next n where n.agent_id = t.agent_id and n.tier <> n.before
    )
    select agent_id as "agentId", before as "from", tier as "to" from next where tier <> before order by 1`.execute(
    database,
  );
  return rows;
}

/** Whether a round lies in each window, as `inWindow` of rules/windows.ts has it. Every round lasts one hour. */
const IN_WINDOWS = sql.raw(
  PERIODS.map((period) => {
    const length = WINDOW_LENGTHS[period];
    const inside = length === null ? 'true' : `start_time > newest - interval '${(length + HOUR) / SECOND} seconds'`;
    return `${inside} as in_${period}`;
  }).join(', '),
);
