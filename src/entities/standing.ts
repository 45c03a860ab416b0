import { defineEntity, p } from '@mikro-orm/core';

import { TIER_NAMES } from '../rules/tiers.ts';
import { Agent } from './agent.ts';
import { belongsTo } from './table-parts.ts';

/** A sum of whole numbers. */
function sum() {
  return p.bigint('string').defaultRaw('0');
}

/** Sums over the resolved rounds of one window that an agent predicted. */
export const WindowSums = defineEntity({
  name: 'WindowSums',
  embeddable: true,
  properties: {
    points: p.integer(),
    arenaPoints: p.integer(),
    wins: p.integer(),
    competitions: p.integer(),
    pnlUsd: p.decimal('string').precision(14).scale(2),
    brierSum: p.decimal('string').precision(16).scale(4),
    referenceBrierSum: p.decimal('string').precision(16).scale(6),
    pointsSquareSum: sum(),
    /** (reference - Brier term) squared, in millionths squared. */
    skillSquareSum: sum(),
    /** Millionths. */
    edgeSum: sum(),
    edgeSquareSum: sum(),
    /** How many of the predictions have no edge: no price was known when they were made. */
    withoutEdge: p.integer().default(0),
    /** Billionths. */
    contributionSum: sum(),
    /** Millionths. */
    peerSum: sum(),
    /** How many of the rounds had 4 answers, and 8; all others have 2. */
    choices4: p.integer().name('choices_4').default(0),
    choices8: p.integer().name('choices_8').default(0),
    /** Mean and variance of the sim P&L if chance had decided, in the units of rules/payoff-table.ts. */
    chancePnlSum: sum(),
    chancePnlVariance: sum(),
    /** How many of the predictions have an edge over the arena, and these in millionths. */
    arenaEdges: p.integer().default(0),
    arenaEdgeSum: sum(),
    arenaEdgeSquareSum: sum(),
    /** How many of the predictions the service made of standing ones, and how many of these were right. */
    standingN: p.integer().default(0),
    standingWins: p.integer().default(0),
  },
});

/**
 * What an agent's scored predictions add up to, for every window at once, so that no read adds up history. Written by
 * resolution alone: a few in their places, many by a new table in this one's place (jobs/standings.ts). Only all-time
 * points are indexed, which the agents of a round alone change. Boards are kept apart (boards.ts).
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
    {
      name: 'standings_tier',
      expression: `create index "standings_tier" on "standings" ("tier", "agent_id") where tier <> 'bronze'`,
    },
    {
      name: 'standings_points',
      expression: `create index "standings_points" on "standings" ("alltime_points" desc, "agent_id")`,
    },
  ],
});
