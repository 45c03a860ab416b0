import { DomainError } from '../rules/errors.ts';
import { winRatePct } from '../rules/win-rate.ts';
import type { Period } from '../rules/windows.ts';
import { agentPage } from './agent-pages.ts';
import { type AgentRow, findAgent, standingOf } from './agent-rows.ts';
import { roundsAsked } from './calibration.ts';
import { type Context, requireViewer } from './context.ts';
import { historyAsked, pnlPoint, pointsPoint } from './histories.ts';
import { openPredictionsOf } from './open-predictions.ts';
import type { AgentResolvers, QueryResolvers } from './schema-types.ts';
import type { WindowFigures } from './standing-rows.ts';
import { timeText } from './time-format.ts';

const RECENT_PREDICTIONS = 20;

export const agentQueries = {
  me: (_root, _args, context) => requireViewer(context),
  async agent(_root, { id, name }, { em, clock }) {
    if (id != null && name == null) return findAgent(em, { id }, clock.now());
    if (name != null && id == null) return findAgent(em, { name }, clock.now());
    throw new DomainError('BAD_REQUEST', 'agent takes either an id or a name.');
  },
  agents: (_root, args, context) => agentPage(context, args),
} satisfies QueryResolvers;

export const agentFields = {
  registeredAt: (agent, { format }, context) => ownOnly(agent, context, () => timeText(agent.registeredAt, format)),
  totalCompetitions: async (agent, _args, context) => (await sums(agent, 'alltime', context)).competitions,
  totalWins: async (agent, _args, context) => (await sums(agent, 'alltime', context)).wins,
  totalPoints: async (agent, _args, context) => (await sums(agent, 'alltime', context)).points,
  totalArenaPoints: async (agent, _args, context) => (await sums(agent, 'alltime', context)).arenaPoints,
  simPnlTotal: (agent, _args, context) => pnl(agent, 'alltime', context),
  simPnl30d: (agent, _args, context) => pnl(agent, 'monthly', context),
  simPnl7d: (agent, _args, context) => ownOnly(agent, context, () => pnl(agent, 'weekly', context)),
  async winRate(agent, _args, context) {
    const { wins, competitions } = await sums(agent, 'alltime', context);
    return winRatePct(wins, competitions);
  },
  roundsCompeted: (agent, _args, context) =>
    ownOnly(agent, context, async () => {
      const open = await openPredictionsOf(context.em, agent.id);
      return open + (await sums(agent, 'alltime', context)).competitions;
    }),
  currentStreak: async (agent, _args, context) => (await standingOf(agent, context)).currentStreak,
  bestStreak: async (agent, _args, context) => (await standingOf(agent, context)).bestStreak,
  credentialTier: async (agent, _args, context) => (await standingOf(agent, context)).tier,
  async standing(agent, args, context) {
    const period = args.period ?? 'weekly';
    return { ...(await sums(agent, period, context)), agentId: agent.id, period };
  },
  recentPredictions: async ({ id }, _args, { loaders }) =>
    (await loaders.agentPredictions({ first: RECENT_PREDICTIONS }).load(id)).nodes,
  predictions: ({ id }, args, { loaders }) => loaders.agentPredictions(args).load(id),
  calibration: ({ id }, args, { loaders }) => loaders.calibration(roundsAsked(args)).load(id),
  pnlHistory: async ({ id }, args, { loaders }) => (await loaders.history(historyAsked(args)).load(id)).map(pnlPoint),
  pointsHistory: async ({ id }, args, { loaders }) =>
    (await loaders.history(historyAsked(args)).load(id)).map(pointsPoint),
} satisfies AgentResolvers;

async function sums(agent: AgentRow, period: Period, context: Context): Promise<WindowFigures> {
  return (await standingOf(agent, context)).windows[period];
}

async function pnl(agent: AgentRow, period: Period, context: Context): Promise<number> {
  return Number((await sums(agent, period, context)).pnlUsd);
}

/** Fields that spec 2.1 gives on the own profile only: null on others. */
async function ownOnly<T>(agent: AgentRow, context: Context, value: () => T | Promise<T>): Promise<T | null> {
  const viewer = await context.viewer();
  return viewer?.id === agent.id ? value() : null;
}
