import { sql } from 'kysely';

import type { AgentMode } from '../../rules/agents.ts';
import { FIRST_TIER, type Tier } from '../../rules/tiers.ts';
import { type AgentPredictionsRequest, agentPageOf } from '../prediction-pages.ts';
import { listed, pageOf } from './page.ts';
import { instant, ofParent, plain, plainOr, type RowOf, rowType } from './plan.ts';
import { STANDING_PREDICTIONS } from './standing-predictions.ts';
import { STANDING_OF_AGENT, standingIn, WINDOW_NEEDS, windowColumns } from './standing.ts';
import { WEBHOOKS } from './webhook.ts';

/** Of an agent's standing `s`, if it has one: over all time, unless it is named otherwise. */
const OF_STANDING = {
  ...windowColumns('alltime'),
  monthlyPnlUsd: plainOr('0', sql`s.monthly_pnl_usd::text`),
  weeklyPnlUsd: plainOr('0', sql`s.weekly_pnl_usd::text`),
  currentStreak: plainOr(0, sql`s.current_streak`),
  bestStreak: plainOr(0, sql`s.best_streak`),
  tier: plainOr<Tier>(FIRST_TIER, sql`s.tier`),
};

const COLUMNS = {
  id: plain<number>(sql`a.id`),
  name: plain<string>(sql`a.name`),
  mode: plain<AgentMode>(sql`a.mode`),
  registeredAt: instant(sql`a.registered_at`),
  about: plain<string | null>(sql`a.about`),
  url: plain<string | null>(sql`a.url`),
  ...OF_STANDING,
  standingPredictions: STANDING_PREDICTIONS,
  webhooks: WEBHOOKS,
};

/** An agent as the schema shows it. */
export type AgentRow = RowOf<typeof COLUMNS>;

/** The predictions that an agent shows without being asked for a page. */
const RECENT: AgentPredictionsRequest = { first: 20 };

/** A row `a` of `agents`. */
export const AGENT = rowType({
  columns: COLUMNS,
  always: ['id'],
  needs: {
    ...WINDOW_NEEDS,
    credentialTier: ['tier'],
    roundsCompeted: ['competitions'],
    simPnl30d: ['monthlyPnlUsd'],
    simPnl7d: ['weeklyPnlUsd'],
  },
  joined: { columns: OF_STANDING, from: STANDING_OF_AGENT },
  nested: {
    standing: standingIn,
    predictions: ({ args, selected }, { prediction }) =>
      ofParent(sql`a.id`, pageOf(agentPageOf(args), selected, prediction)),
    recentPredictions: ({ selected }, { prediction }) =>
      ofParent(sql`a.id`, listed(agentPageOf(RECENT), prediction(selected))),
  },
});
