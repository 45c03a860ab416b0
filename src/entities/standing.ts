import { defineEntity, p } from '@mikro-orm/postgresql';

import { type Sum, SUMS, sumType } from '../rules/sums.ts';
import { TIER_NAMES } from '../rules/tiers.ts';
import { Agent } from './agent.ts';
import { belongsTo, index } from './table-parts.ts';

/** Sums over the resolved rounds of one window that an agent predicted. */
export const WindowSums = defineEntity({
  name: 'WindowSums',
  embeddable: true,
  properties: Object.fromEntries(Object.entries<Sum>(SUMS).map(([name, sum]) => [name, column(sum)])),
});

function column(sum: Sum) {
  const type = sumType(sum);
  if (type === 'int') return p.integer().name(sum.column).default(0);
  if (type === 'bigint') return p.bigint('string').name(sum.column).defaultRaw('0');
  const [precision, scale] = type;
  return p.decimal('string').name(sum.column).precision(precision).scale(scale).defaultRaw('0');
}

/**
 * Sums of an agent's scored predictions in every window, so that reads add up no history. Resolution writes them: a few
 * in place, many as a new table that replaces this one (jobs/ledger/standings.ts). Only all-time points are indexed:
 * other windows also change for agents outside the round, when old rounds leave. Boards are separate (boards.ts).
 */
export const Standing = defineEntity({
  name: 'Standing',
  tableName: 'standings',
  properties: {
    agentId: () => belongsTo(Agent, 'agent_id').primary(),
    daily: () => p.embedded(WindowSums).prefix('daily_'),
    weekly: () => p.embedded(WindowSums).prefix('weekly_'),
    monthly: () => p.embedded(WindowSums).prefix('monthly_'),
    alltime: () => p.embedded(WindowSums).prefix('alltime_'),
    currentStreak: p.integer(),
    bestStreak: p.integer(),
    tier: p.enum(TIER_NAMES),
  },
  checks: [
    { name: 'standings_streak_check', expression: 'current_streak >= 0 and best_streak >= current_streak' },
    { name: 'standings_wins_check', expression: 'alltime_wins >= 0 and alltime_wins <= alltime_competitions' },
  ],
  indexes: [
    index('standings_tier', `"standings" ("tier", "agent_id") where tier <> 'bronze'`),
    index('standings_points', `"standings" ("alltime_points" desc, "agent_id")`),
  ],
});
