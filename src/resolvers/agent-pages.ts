import { type RawBuilder, sql } from 'kysely';

import { PAGE_SIZES } from '../limits.ts';
import type { AgentMode } from '../rules/agent-name.ts';
import { type Tier, TIERS } from '../rules/tiers.ts';
import { AGENT_COLUMNS, AGENTS_AND_STANDINGS, type AgentRow } from './agent-rows.ts';
import { pageSize } from './argument.ts';
import { type Connection, connectionOf } from './connection.ts';
import type { Context } from './context.ts';
import { keysIn, type ListOrder, readPages } from './keyset.ts';
import { holdsName } from './reservation.ts';
import type { AgentOrder, QueryAgentsArgs } from './schema-types.ts';

interface ListedAgent extends AgentRow {
  readonly nameKey: string;
  readonly points: number;
}

const POINTS = sql`coalesce(s.alltime_points, 0)`;

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
      { ...ID, descending: false },
    ],
  },
};

/** A page of the agents that hold their names. */
export async function agentPage(context: Context, args: Partial<QueryAgentsArgs>): Promise<Connection<AgentRow>> {
  const first = pageSize('first', args.first, PAGE_SIZES.connections);
  const order = ORDERS[args.orderBy ?? 'OLDEST'];
  const list = {
    columns: sql`${AGENT_COLUMNS}, a.name_key as "nameKey", ${POINTS} as points`,
    from: () => AGENTS_AND_STANDINGS,
    conditions: [holdsName(context.clock.now()), ...conditionsOf(args)],
    order,
  };
  const asked = { first, after: keysIn(order, args.after), parents: [0] };
  const [page] = await readPages<ListedAgent>(context.em, list, asked);
  return connectionOf(page ?? { rows: [], hasPrevious: false }, { first, order }, (agent): AgentRow => agent);
}

function conditionsOf({ mode, tier }: { mode?: AgentMode | null; tier?: readonly Tier[] | null }) {
  const conditions: RawBuilder<unknown>[] = [];
  if (mode != null) conditions.push(sql`a.mode = ${mode}`);
  if (tier != null) conditions.push(tierCondition(tier));
  return conditions;
}

/** Apart for those without a standing, who are in the first tier, so that the others are found through their index. */
function tierCondition(tiers: readonly Tier[]): RawBuilder<unknown> {
  const first = TIERS[0]?.tier ?? null;
  const above = tiers.filter((tier) => tier !== first);
  const held = sql`s.tier = any(${above}) and s.tier <> ${sql.lit(first)}`;
  return above.length === tiers.length ? held : sql`s.tier is null or s.tier = any(${[...tiers]})`;
}
