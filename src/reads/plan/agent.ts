import { sql } from 'kysely';

import { UNDECIDED_STATUSES } from '../../rules/round-states.ts';
import { FIRST_TIER } from '../../rules/tiers.ts';
import { type AgentPredictionsRequest, agentPageOf } from '../prediction-pages.ts';
import { MEDIAN_MINUTE } from './board-agent.ts';
import { byAlias } from './by-alias.ts';
import { pageOf, pageRows } from './page.ts';
import { parts } from './parts.ts';
import { ofParent, one, plain, plainOr, type RowOf, rowType } from './plan.ts';
import { DEFAULT_ANSWERS } from './default-answers.ts';
import { STANDING_OF_AGENT, standingIn, WINDOW_NEEDS, windowColumns } from './standing.ts';
import { WEBHOOKS } from './webhook.ts';

const { a, s } = byAlias({ a: 'agents', s: 'standings' }, 's');

/** Columns of an agent's standing `s` or null; over all time unless the name has another window. */
const OF_STANDING = {
  ...windowColumns('alltime'),
  monthlyPnlUsd: plainOr('0', parts.cast<string | null>(s('monthly_pnl_usd'), 'text')),
  weeklyPnlUsd: plainOr('0', parts.cast<string | null>(s('weekly_pnl_usd'), 'text')),
  currentStreak: plainOr(0, s('current_streak')),
  bestStreak: plainOr(0, s('best_streak')),
  tier: plainOr(FIRST_TIER, s('tier')),
};

const COLUMNS = {
  ...a.plain('id', 'name', 'mode', 'about', 'url'),
  ...a.instant('registered_at'),
  ...OF_STANDING,
  openPredictions: one(
    plain(parts.fn.countAll<number>()),
    parts
      .selectFrom('rounds as r')
      .innerJoin('predictions as p', 'p.round_id', 'r.id')
      .where('p.agent_id', '=', a('id'))
      .where(
        'r.status',
        'in',
        UNDECIDED_STATUSES.map((status) => sql.lit(status)),
      ),
  ),
  medianMinute: MEDIAN_MINUTE,
  standingPredictions: DEFAULT_ANSWERS,
  webhooks: WEBHOOKS,
};

/** An agent, as in the schema. */
export type AgentRow = RowOf<typeof COLUMNS>;

/** The predictions of `recentPredictions`. */
const RECENT: AgentPredictionsRequest = { first: 20 };

export const AGENTS = parts.selectFrom('agents as a');

/** A row `a` of `agents`. */
export const AGENT = rowType({
  columns: COLUMNS,
  always: ['id'],
  needs: {
    ...WINDOW_NEEDS,
    credentialTier: ['tier'],
    roundsCompeted: ['competitions', 'openPredictions'],
    simPnl30d: ['monthlyPnlUsd'],
    simPnl7d: ['weeklyPnlUsd'],
    // Joins the standing, which has all windows.
    standing: ['tier'],
  },
  joined: [{ columns: OF_STANDING, from: STANDING_OF_AGENT }],
  nested: {
    standing: standingIn,
    predictions: ({ args, selected }, { prediction }) =>
      ofParent(a('id'), pageOf(agentPageOf(args), selected, prediction)),
    recentPredictions: ({ selected }, { prediction }) =>
      ofParent(a('id'), pageRows(agentPageOf(RECENT), prediction(selected))),
  },
});
