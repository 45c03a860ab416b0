import { type Expression, expressionBuilder, type RawBuilder, sql, type SqlBool } from 'kysely';

import type { Agent } from '../entities/agent.ts';
import { PAGE_SIZES } from '../limits.ts';
import { type AgentMode, nameKey } from '../rules/agents.ts';
import { refused } from '../rules/errors.ts';
import { FIRST_TIER, type Tier } from '../rules/tiers.ts';
import { type AliasedTables, anyOf, compiled, tablesOf } from './fragments.ts';
import {
  byAge,
  keysetCondition,
  type ListOrder,
  type PageBounds,
  pageIn,
  type PageOfList,
  type PageRequest,
} from './paging.ts';
import { byAlias } from './plan/by-alias.ts';

/** An agent without its record. */
export type AgentIdentity = Pick<Agent, 'id' | 'name' | 'mode' | 'registeredAt'>;

const is = expressionBuilder<AliasedTables<{ a: 'agents'; s: 'standings' }>, 'a' | 's'>();

const AGENTS_AND_STANDINGS = compiled(
  tablesOf(is.selectFrom('agents as a').leftJoin('standings as s', 's.agent_id', 'a.id')),
);

const { a, s } = byAlias({ a: 'agents', s: 'standings' });
const NAME_KEY = a('name_key');

/** A condition: the agent `a` has this id or name. */
export function isAgent(who: { readonly id: number } | { readonly name: string }): Expression<SqlBool> {
  return 'id' in who ? is('a.id', '=', who.id) : is('a.name_key', '=', nameKey(who.name));
}

/** True if a spectator's name reservation expired without an activation (spec 1): the name is free again. */
export function isReleased(agent: Pick<Agent, 'mode' | 'nameKey' | 'reservedUntil'>, now: Date): boolean {
  if (agent.nameKey === null) return true;
  return agent.mode === 'spectate' && agent.reservedUntil != null && agent.reservedUntil <= now;
}

/** A condition: the agent `a` holds its name at `now`, the opposite of `isReleased`. */
export function holdsName(now: Date) {
  const holds = is.or([is('a.mode', '<>', sql.lit('spectate')), is('a.reserved_until', '>', now)]);
  return is.and([is('a.name_key', 'is not', null), holds]);
}

type AgentOrder = 'OLDEST' | 'NEWEST' | 'NAME' | 'POINTS';

/** A page of agents; filters that are unset or null match all. */
export interface AgentPageRequest extends PageRequest {
  readonly orderBy?: AgentOrder | null;
  readonly mode?: AgentMode | null;
  readonly tier?: readonly Tier[] | null;
  readonly ids?: readonly number[] | null;
  /** Only in the order of names. */
  readonly nameStartsWith?: string | null;
}

const ORDERS: Readonly<Record<AgentOrder, ListOrder>> = {
  ...byAge('agents', { column: a('id'), kind: 'integer' }),
  NAME: byName(NAME_KEY),
  POINTS: pointsOrder(sql.ref('k.points'), sql.ref('k.id')),
};

function byName(column: RawBuilder<unknown>): ListOrder {
  return { name: 'agents NAME', columns: [{ column, kind: 'text', descending: false }] };
}

/** By characters, in any database: names with the same beginning are adjacent. */
const NAME_BY_CHARACTERS = sql`${NAME_KEY} collate "C"`;
/** Sorts after every character of a name. */
const AFTER_NAMES = '{';

function isNamedFrom(beginning: string): Expression<SqlBool> {
  const key = nameKey(beginning);
  return is.and([is(NAME_BY_CHARACTERS, '>=', key), is(NAME_BY_CHARACTERS, '<', key + AFTER_NAMES)]);
}

/** By points, 0 without a standing. */
function pointsOrder(points: RawBuilder<number>, id: RawBuilder<number>): ListOrder {
  return {
    name: 'agents POINTS',
    columns: [
      { column: points, kind: 'integer', descending: true },
      { column: id, kind: 'integer', descending: false },
    ],
  };
}

/**
 * Agents with their points `k`, in their order: those with a standing by the index of points, then those without. Finding the
 * latter reads all agents; with `newcomers` false they are left out.
 */
function byPoints(newcomers: Expression<SqlBool>): RawBuilder<unknown> {
  const placed = is
    .selectFrom('standings')
    .select(['agent_id as id', 'alltime_points as points'])
    .orderBy('alltime_points', 'desc')
    .orderBy('agent_id');
  const unplaced = is
    .selectFrom('agents as n')
    .select(['n.id', is.lit(0).as('points')])
    .where(newcomers)
    .where((n) => n.not(n.exists(n.selectFrom('standings as own').whereRef('own.agent_id', '=', 'n.id'))))
    .orderBy('n.id');
  const both = sql<{ id: number; points: number }>`(${placed} union all ${unplaced})`.as('k');
  return tablesOf(
    is.selectFrom(both).innerJoin('agents as a', 'a.id', 'k.id').leftJoin('standings as s', 's.agent_id', 'k.id'),
  );
}

/**
 * True if a page by points may reach agents without a row in `standings`: agents with points above 0 do not fill it. An
 * agent with such a row competes and holds its name, so only a filter can exclude it.
 */
function needsNewcomers({ mode, tier, ids }: AgentPageRequest, { first, after }: PageBounds): Expression<SqlBool> {
  if (mode === 'spectate' || tier != null || ids != null) return is.lit(true);
  const order = pointsOrder(s('alltime_points'), s('agent_id'));
  const fullPage = is
    .selectFrom('standings as s')
    .where('s.alltime_points', '>', is.lit(0))
    .where(after === null ? is.lit(true) : keysetCondition(order, after, 'after'))
    .orderBy('s.alltime_points', 'desc')
    .orderBy('s.agent_id')
    .limit(is.lit(first + 1));
  const found = is.selectFrom(fullPage.as('full_page')).select(({ fn }) => fn.countAll<number>().as('n'));
  return is(found, '<=', is.lit(first));
}

/** Agents that hold their names at `now`, and the requested page of them. Throws `BAD_REQUEST`. */
export function agentsPageOf(args: AgentPageRequest, now: Date): PageOfList {
  const { orderBy, mode, tier, ids, nameStartsWith: beginning } = args;
  const { max } = PAGE_SIZES.connections;
  if (ids != null && ids.length > max) throw refused('ids', `at most ${max} ids`, ids.length);
  if (beginning != null && orderBy !== 'NAME')
    throw refused('orderBy', 'NAME where a name’s beginning is given', orderBy);
  const order = beginning == null ? ORDERS[orderBy ?? 'OLDEST'] : byName(NAME_BY_CHARACTERS);
  const page = pageIn(order, args, PAGE_SIZES.connections);
  const conditions = [
    holdsName(now),
    ...(mode == null ? [] : [is('a.mode', '=', mode)]),
    ...(tier == null ? [] : [isOfTier(tier)]),
    ...(ids == null ? [] : [is('a.id', '=', anyOf(ids))]),
    ...(beginning == null ? [] : [isNamedFrom(beginning)]),
  ];
  const from = () => {
    if (orderBy === 'POINTS') return byPoints(needsNewcomers(args, page));
    return orderBy === 'NAME' && tier != null && !tier.includes(FIRST_TIER) ? holdersOf(tier) : AGENTS_AND_STANDINGS;
  };
  return { list: { from, conditions, order }, page };
}

/** Agents without a standing are of the first tier. The condition on other tiers matches their partial index. */
function isOfTier(tiers: readonly Tier[]): Expression<SqlBool> {
  const isAny = is('s.tier', '=', anyOf(tiers));
  return tiers.includes(FIRST_TIER)
    ? is.or([is('s.tier', 'is', null), isAny])
    : is.and([isAny, is('s.tier', '<>', sql.lit(FIRST_TIER))]);
}

/** Agents of tiers above the first, probed one by one: the planner may overestimate them and walk all names instead. */
function holdersOf(tiers: readonly Tier[]): RawBuilder<unknown> {
  const held = is.selectFrom('standings as s').selectAll().where(isOfTier(tiers)).offset(is.lit(0)).as('s');
  return tablesOf(
    is
      .selectFrom(held)
      .crossJoinLateral((of) =>
        of.selectFrom('agents as a').selectAll().whereRef('a.id', '=', 's.agent_id').offset(of.lit(0)).as('a'),
      ),
  );
}
