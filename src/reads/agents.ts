import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import type { Agent } from '../entities/agent.ts';
import type { DB } from '../entities/tables.ts';
import { PAGE_SIZES } from '../limits.ts';
import { type AgentMode, nameKey } from '../rules/agents.ts';
import { FIRST_TIER, type Tier } from '../rules/tiers.ts';
import { byAge, type ListOrder, type PageAsked, pageIn, type PageOfList, type PageRequest } from './paging.ts';

/** Who an agent is, whatever its record. */
export type AgentIdentity = Pick<Agent, 'id' | 'name' | 'mode' | 'registeredAt'>;

const AGENTS_AND_STANDINGS: RawBuilder<unknown> = sql`agents a left join standings s on s.agent_id = a.id`;

type Who = { readonly id: number } | { readonly name: string };

/** SQL: whether the agent `a` is this one. */
export function isAgent(who: Who): RawBuilder<unknown> {
  return 'id' in who ? sql`a.id = ${who.id}` : sql`a.name_key = ${nameKey(who.name)}`;
}

/** Whether a spectator's name reservation ran out without an activation (spec 1): then it is nobody's any more. */
export function isReleased(agent: Pick<Agent, 'mode' | 'nameKey' | 'reservedUntil'>, now: Date): boolean {
  if (agent.nameKey === null) return true;
  return agent.mode === 'spectate' && agent.reservedUntil != null && agent.reservedUntil <= now;
}

/** SQL: whether the agent `a` holds its name at `now`, the opposite of `isReleased`. */
export function holdsName(now: Date): RawBuilder<boolean> {
  return sql`a.name_key is not null and (a.mode <> 'spectate' or a.reserved_until > ${now})`;
}

/** How many rounds the agent predicted that are not decided yet. */
export async function openPredictionsOf(em: SqlEntityManager, agentId: number): Promise<number> {
  const predicted = em.getKysely<DB>().selectFrom('rounds as r').innerJoin('predictions as p', 'p.round_id', 'r.id');
  const open = predicted.where('p.agent_id', '=', agentId).where('r.status', 'in', ['upcoming', 'active', 'resolving']);
  const found = await open.select(({ fn }) => fn.countAll<number>().as('open')).executeTakeFirst();
  return found?.open ?? 0;
}

type AgentOrder = 'OLDEST' | 'NEWEST' | 'NAME' | 'POINTS';

/** Which agents a page lists; what is unset or null leaves none out. */
export interface AgentPageRequest extends PageRequest {
  readonly orderBy?: AgentOrder | null;
  readonly mode?: AgentMode | null;
  readonly tier?: readonly Tier[] | null;
}

const ID = { column: sql`a.id`, kind: 'integer' } as const;

const ORDERS: Readonly<Record<AgentOrder, ListOrder>> = {
  ...byAge('agents', ID),
  NAME: { name: 'agents NAME', columns: [{ column: sql`a.name_key`, kind: 'text', descending: false }] },
  POINTS: {
    name: 'agents POINTS',
    columns: [
      // 0 for those without a standing.
      { column: sql`k.points`, kind: 'integer', descending: true },
      { ...ID, column: sql`k.id`, descending: false },
    ],
  },
};

/**
 * All agents with their points `k`, in their order: those with a standing by the index of points, and those without.
 * `newcomers` false leaves the latter out, who stand behind everybody with points above 0: to find them takes a look at
 * all agents.
 */
function byPoints(newcomers: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(
      (select agent_id as id, alltime_points as points from standings order by alltime_points desc, agent_id)
      union all
      (select n.id, 0 from agents n
      where ${newcomers} and not exists (select from standings where agent_id = n.id) order by n.id)
    ) k join agents a on a.id = k.id left join standings s on s.agent_id = k.id`;
}

/**
 * Whether a page of the order of points comes to agents without a standing: not when it is full before. Who has a
 * standing competes and holds its name, so only a filter leaves any of them out.
 */
function needsNewcomers({ mode, tier }: AgentPageRequest, { first, after }: PageAsked): RawBuilder<unknown> {
  if (mode === 'spectate' || tier != null) return sql`true`;
  const [points, id] = after ?? [];
  const behind =
    after === null ? sql`true` : sql`(alltime_points < ${points} or (alltime_points = ${points} and agent_id > ${id}))`;
  return sql`(select count(*) from (
    select from standings where alltime_points > 0 and ${behind} order by alltime_points desc, agent_id limit ${sql.lit(first + 1)}
  ) full_page) <= ${sql.lit(first)}`;
}

/** The list of agents that hold their names at `now`, and the page of it that is asked for. Throws `BAD_REQUEST`. */
export function agentsPageOf(args: AgentPageRequest, now: Date): PageOfList {
  const order = ORDERS[args.orderBy ?? 'OLDEST'];
  const page = pageIn(order, args, PAGE_SIZES.connections);
  const holders = args.orderBy === 'NAME' && args.tier != null ? holdersOf(args.tier) : null;
  const list = {
    from: () => (args.orderBy === 'POINTS' ? byPoints(needsNewcomers(args, page)) : (holders ?? AGENTS_AND_STANDINGS)),
    conditions: [holdsName(now), ...conditionsOf(args)],
    order,
  };
  return { list, page };
}

function conditionsOf({ mode, tier }: AgentPageRequest) {
  const conditions: RawBuilder<unknown>[] = [];
  if (mode != null) conditions.push(sql`a.mode = ${mode}`);
  if (tier != null) conditions.push(tierCondition(tier));
  return conditions;
}

/** Apart for those without a standing, who are in the first tier, so that the others are found through their index. */
function tierCondition(tiers: readonly Tier[]): RawBuilder<unknown> {
  return tiers.some((tier) => tier === FIRST_TIER) ? sql`s.tier is null or s.tier = any(${[...tiers]})` : isHeld(tiers);
}

function isHeld(tiers: readonly Tier[]): RawBuilder<unknown> {
  return sql`s.tier = any(${[...tiers]}) and s.tier <> ${sql.lit(FIRST_TIER)}`;
}

/**
 * The agents of tiers above the first, looked up one by one: where few hold them, to go through all names until a page is
 * full would be to go through all agents, and the planner cannot be sure how few they are. Null for other tiers.
 */
function holdersOf(tiers: readonly Tier[]): RawBuilder<unknown> | null {
  if (tiers.some((tier) => tier === FIRST_TIER)) return null;
  return sql`(select * from standings s where ${isHeld(tiers)} offset 0) s
    cross join lateral (select * from agents where id = s.agent_id offset 0) a`;
}
