import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import { codeOf, LOCK_NOT_AVAILABLE, reason, STILL_NEEDED } from '../../database/failures.ts';
import { moveCounts, readFloors, rewriteBoards, updateBoards } from './board-places.ts';
import { withPlannerHint } from '../planner-hints.ts';
import { rebuildStandings } from './standing-rebuild.ts';
import { STANDING_COLUMNS, standingsAfter, type TierChange } from './standing-statements.ts';
import type { WindowMoves } from './window-moves.ts';
import { FIRST_TIER } from '../../rules/tiers.ts';
import { rows } from '../../reads/sql.ts';

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
  const { standings, hasRules, mayRebuild } = await stateOfStandings(transaction);
  const isLarge = moves.scores >= rebuildFrom && moves.scores >= standings * REBUILD.shareOfStandings;
  const rebuilt = isLarge && mayRebuild ? await rebuildIfFree(transaction, moves) : { attached: [] };
  if ('tierChanges' in rebuilt) {
    await rewriteBoards(transaction);
    return { tierChanges: rebuilt.tierChanges, attached: [] };
  }
  const { attached } = rebuilt;
  const whose = sql`select agent_id from scores where round_id = ${moves.round.id}`;
  const after = standingsAfter(moves, 'touched');
  return { tierChanges: await replaceStandings(transaction, { after, whose, hasRules }), attached };
}

/** Puts these standings in the place of those before; returns whose tier changed. */
export async function renewStandings(
  transaction: SqlEntityManager,
  after: RawBuilder<unknown>,
): Promise<readonly TierChange[]> {
  const { hasRules } = await stateOfStandings(transaction);
  return replaceStandings(transaction, { after, whose: sql`select agent_id from (${after}) a`, hasRules });
}

/** Standings as they are to be, and who may have none yet. */
interface Replacing {
  readonly after: RawBuilder<unknown>;
  readonly whose: RawBuilder<unknown>;
}

/** Puts standings in the place of those before, with the counts behind the ranks and the boards. */
async function replaceStandings(
  transaction: SqlEntityManager,
  { hasRules, ...replacing }: Replacing & { readonly hasRules: boolean },
): Promise<readonly TierChange[]> {
  if (hasRules) {
    const tierChanges = await replaceUnderRules(transaction, replacing);
    await rewriteBoards(transaction);
    return tierChanges;
  }
  const floors = await readFloors(transaction);
  const { tierChanges, touched } = await replaceInPlace(transaction, replacing.after);
  await updateBoards(transaction, floors, touched);
  return tierChanges;
}

interface Updated {
  readonly tierChanges: readonly TierChange[];
  /** What others have attached to `standings`, where it kept them from being written anew. */
  readonly attached: readonly string[];
}

interface StandingsState {
  readonly standings: number;
  /** Whether others have made rules for the table. */
  readonly hasRules: boolean;
  /** Whether this role may put another table in its place: the owner alone, so that it stays its table (docs/security.md). */
  readonly mayRebuild: boolean;
}

async function stateOfStandings(transaction: SqlEntityManager): Promise<StandingsState> {
  const [found] = await rows<StandingsState>(transaction)`
    select coalesce((select sum(agents) from board_counts where period = 'alltime' and bits = 12), 0)::int as standings,
      relhasrules as "hasRules",
      relowner = current_user::regrole and has_schema_privilege(relnamespace, 'create') as "mayRebuild"
    from pg_class where oid = 'standings'::regclass`;
  return found ?? { standings: 0, hasRules: false, mayRebuild: false };
}

/** Not where others have attached something to the table, also at the last moment, or read it for long, such as a backup. */
async function rebuildIfFree(transaction: SqlEntityManager, moves: WindowMoves) {
  try {
    return await transaction.transactional((inner) => rebuildStandings(inner, moves));
  } catch (error) {
    if (codeOf(error) === LOCK_NOT_AVAILABLE) return { attached: [] };
    if (codeOf(error) === STILL_NEEDED) return { attached: [reason(error)] };
    throw error;
  }
}

/** Writes standings in their places, and the counts behind the ranks. */
async function replaceInPlace(
  transaction: SqlEntityManager,
  standings: RawBuilder<unknown>,
): Promise<{ readonly tierChanges: readonly TierChange[]; readonly touched: readonly number[] }> {
  const columns = sql.raw(STANDING_COLUMNS.join(', '));
  const updates = STANDING_COLUMNS.slice(1).map((column) => `${column} = excluded.${column}`);
  const moved = await withPlannerHint(
    transaction,
    'keyLookups',
    () =>
      rows<TierChange>(transaction)`
      with after as materialized (${standings}),
      moved as (${moveCounts('after')}),
      written as (
        insert into standings (${columns}) select ${columns} from after order by agent_id
        on conflict (agent_id) do update set ${sql.raw(updates.join(', '))}
      )
      select agent_id as "agentId", tier_before as "from", tier as "to" from after order by agent_id`,
  );
  return {
    tierChanges: moved.filter(({ from, to }) => from !== to),
    touched: moved.map(({ agentId }) => agentId),
  };
}

/**
 * The same where somebody has made rules for `standings`: PostgreSQL then takes no `on conflict`, and no statement with
 * another one around it. So who is new gets an empty standing first, and the counts are not kept.
 */
async function replaceUnderRules(
  transaction: SqlEntityManager,
  { after, whose }: Replacing,
): Promise<readonly TierChange[]> {
  const columns = STANDING_COLUMNS.slice(1);
  const nothing = columns.map((column) => (column === 'tier' ? `'${FIRST_TIER}'` : '0'));
  const updates = columns.map((column) => `${column} = after.${column}`);
  return withPlannerHint(transaction, 'keyLookups', async () => {
    await rows(transaction)`
      insert into standings (agent_id, ${sql.raw(columns.join(', '))})
      select agent_id, ${sql.raw(nothing.join(', '))} from (${whose}) s
      where not exists (select from standings where agent_id = s.agent_id)`;
    const found = await rows<TierChange>(transaction)`
      select agent_id as "agentId", tier_before as "from", tier as "to" from (${after}) after
      where tier <> tier_before order by agent_id`;
    await rows(transaction)`
      update standings set ${sql.raw(updates.join(', '))} from (${after}) after
      where after.agent_id = standings.agent_id`;
    return found;
  });
}
