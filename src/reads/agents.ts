import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import type { Agent } from '../entities/agent.ts';
import type { RankCertainty } from '../entities/ordered-board.ts';
import { PAGE_SIZES } from '../limits.ts';
import { type AgentMode, nameKey } from '../rules/agents.ts';
import { type Tier, TIERS } from '../rules/tiers.ts';
import { type Period, PERIODS } from '../rules/windows.ts';
import {
  pageSize,
  type Connection,
  connectionOf,
  keysIn,
  type ListOrder,
  type PageAsked,
  readPages,
} from './paging.ts';
import { rows } from './sql.ts';
import { NOTHING, type WindowFigures, windowObject } from './window-sums.ts';

/** An agent's sums with whose and of which window they are. */
export interface WindowStanding extends WindowFigures {
  readonly agentId: number;
  readonly period: Period;
  /** Unset where it was not read along. */
  readonly certainty?: RankCertainty | null;
}

/** What an agent's scored predictions add up to. */
export interface StandingRow {
  readonly windows: Readonly<Record<Period, WindowFigures>>;
  readonly currentStreak: number;
  readonly bestStreak: number;
  readonly tier: Tier;
}

/** A standing `s` as one value `standing`, null where the agent has none. Exact sums come as text. */
const STANDING_COLUMN: RawBuilder<unknown> = sql`
  case when s.agent_id is not null then json_build_object(
    'currentStreak', s.current_streak, 'bestStreak', s.best_streak, 'tier', s.tier,
    'windows', json_build_object(${sql.join(PERIODS.map((period) => sql`${sql.lit(period)}, ${windowObject(period)}`))})
  ) end as standing`;

/** Before its first scored prediction an agent's standing is this. */
export const NO_STANDING: StandingRow = {
  windows: { daily: NOTHING, weekly: NOTHING, monthly: NOTHING, alltime: NOTHING },
  currentStreak: 0,
  bestStreak: 0,
  tier: 'bronze',
};

/** An agent as the schema shows it. */
export interface AgentRow {
  readonly id: number;
  readonly name: string;
  readonly mode: AgentMode;
  readonly registeredAt: Date;
  /** Null before the first scored prediction; unset where it was not read along. */
  readonly standing?: StandingRow | null;
}

/** The columns of an `AgentRow`, of an agent `a` and its standing `s`. */
const AGENT_COLUMNS: RawBuilder<unknown> = sql`
  a.id, a.name, a.mode, a.registered_at as "registeredAt", ${STANDING_COLUMN}`;

const AGENTS_AND_STANDINGS: RawBuilder<unknown> = sql`agents a left join standings s on s.agent_id = a.id`;

/** The agents with these ids and their standings, in any order. */
export async function agentsById(em: SqlEntityManager, ids: readonly number[]): Promise<readonly AgentRow[]> {
  return rows<AgentRow>(em)`
    select ${AGENT_COLUMNS} from ${AGENTS_AND_STANDINGS} where a.id = any(${[...ids]})`;
}

type Who = { readonly id: number } | { readonly name: string };

/** SQL: whether the agent `a` is this one. */
export function isAgent(who: Who): RawBuilder<unknown> {
  return 'id' in who ? sql`a.id = ${who.id}` : sql`a.name_key = ${nameKey(who.name)}`;
}

/** The agent with this id, or with this name without regard to case, that holds its name at `now`; else null. */
export async function findAgent(em: SqlEntityManager, who: Who, now: Date): Promise<AgentRow | null> {
  const found = await rows<AgentRow>(em)`
    select ${AGENT_COLUMNS} from ${AGENTS_AND_STANDINGS} where ${isAgent(who)} and ${holdsName(now)}`;
  return found[0] ?? null;
}

/** Whether a spectator's name reservation ran out without an activation (spec 1): then it is nobody's any more. */
export function isReleased(agent: Pick<Agent, 'mode' | 'nameKey' | 'reservedUntil'>, now: Date): boolean {
  if (agent.nameKey === null) return true;
  return agent.mode === 'spectate' && agent.reservedUntil != null && agent.reservedUntil <= now;
}

/** SQL: whether the agent `a` holds its name at `now`, the opposite of `isReleased`. */
export function holdsName(now: Date): RawBuilder<unknown> {
  return sql`a.name_key is not null and (a.mode <> 'spectate' or a.reserved_until > ${now})`;
}

/** How many rounds the agent predicted that are not decided yet. */
export async function openPredictionsOf(em: SqlEntityManager, agentId: number): Promise<number> {
  const found = await rows<{ open: number }>(em)`
    select count(*)::int as open from rounds r join predictions p on p.round_id = r.id
    where r.status in ('upcoming', 'active', 'resolving') and p.agent_id = ${agentId}`;
  return found[0]?.open ?? 0;
}

/** The order of a list of agents. */
type AgentOrder = 'OLDEST' | 'NEWEST' | 'NAME' | 'POINTS';

/** Which agents a page lists; what is unset or null leaves none out. */
export interface AgentPageRequest {
  readonly first?: number | null;
  readonly after?: string | null;
  readonly orderBy?: AgentOrder | null;
  readonly mode?: AgentMode | null;
  readonly tier?: readonly Tier[] | null;
}

export interface ListedAgent extends AgentRow {
  readonly nameKey: string;
  readonly points: number;
}

/** All-time points: 0 for those without a standing. */
const POINTS = sql`k.points`;

const ID = { column: sql`a.id`, kind: 'integer', property: 'id', of: ({ id }: ListedAgent) => id } as const;

const ORDERS: Readonly<Record<AgentOrder, ListOrder<ListedAgent>>> = {
  OLDEST: { name: 'agents OLDEST', columns: [{ ...ID, descending: false }] },
  NEWEST: { name: 'agents NEWEST', columns: [{ ...ID, descending: true }] },
  NAME: {
    name: 'agents NAME',
    columns: [
      { column: sql`a.name_key`, kind: 'text', descending: false, property: 'nameKey', of: (row) => row.nameKey },
    ],
  },
  POINTS: {
    name: 'agents POINTS',
    columns: [
      { column: POINTS, kind: 'integer', descending: true, property: 'points', of: ({ points }) => points },
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
function needsNewcomers(
  { mode, tier }: AgentPageRequest,
  { first, after }: Omit<PageAsked, 'parents'>,
): RawBuilder<unknown> {
  if (mode === 'spectate' || tier != null) return sql`true`;
  const [points, id] = after ?? [];
  const behind =
    after === null ? sql`true` : sql`(alltime_points < ${points} or (alltime_points = ${points} and agent_id > ${id}))`;
  return sql`(select count(*) from (
    select from standings where alltime_points > 0 and ${behind} order by alltime_points desc, agent_id limit ${sql.lit(first + 1)}
  ) full_page) <= ${sql.lit(first)}`;
}

/** The list of agents that hold their names at `now`, and the page of it that is asked for. Throws `BAD_REQUEST`. */
export function agentsPageOf(args: AgentPageRequest, now: Date) {
  const first = pageSize('first', args.first, PAGE_SIZES.connections);
  const order = ORDERS[args.orderBy ?? 'OLDEST'];
  const page = { first, after: keysIn(order, args.after) };
  const isByPoints = args.orderBy === 'POINTS';
  const holders = args.orderBy === 'NAME' && args.tier != null ? holdersOf(args.tier) : null;
  const list = {
    columns: sql`${AGENT_COLUMNS}, a.name_key as "nameKey"${isByPoints ? sql`, ${POINTS} as points` : sql``}`,
    from: () => (isByPoints ? byPoints(needsNewcomers(args, page)) : (holders ?? AGENTS_AND_STANDINGS)),
    conditions: [holdsName(now), ...conditionsOf(args)],
    order,
  };
  return { list, page };
}

/** A page of the agents that hold their names at `now`. */
export async function agentPage(
  em: SqlEntityManager,
  args: AgentPageRequest,
  now: Date,
): Promise<Connection<AgentRow>> {
  const { list, page } = agentsPageOf(args, now);
  const [found = { rows: [], hasPrevious: false }] = await readPages<ListedAgent>(em, list, { ...page, parents: [0] });
  return connectionOf(found, { first: page.first, order: list.order }, (agent): AgentRow => agent);
}

function conditionsOf({ mode, tier }: AgentPageRequest) {
  const conditions: RawBuilder<unknown>[] = [];
  if (mode != null) conditions.push(sql`a.mode = ${mode}`);
  if (tier != null) conditions.push(tierCondition(tier));
  return conditions;
}

/** The tier that agents without a standing are in, for which there is no index. */
const FIRST_TIER = TIERS[0]?.tier ?? null;

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
