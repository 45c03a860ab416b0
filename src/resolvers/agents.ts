import { Agent } from '../entities/agent.ts';
import type { WindowSums } from '../entities/standing.ts';
import { nameKey } from '../rules/agent-name.ts';
import { DomainError } from '../rules/errors.ts';
import { winRatePct } from '../rules/win-rate.ts';
import type { Period } from '../rules/windows.ts';
import { type Context, requireViewer } from './context.ts';
import { newestOf } from './prediction-rows.ts';
import { isReleased } from './reservation.ts';
import { openPredictionsOf } from './open-predictions.ts';
import type { AgentResolvers, QueryResolvers } from './schema-types.ts';
import { timeText } from './time-format.ts';

const RECENT_PREDICTIONS = 20;

export const agentQueries = {
  me: (_root, _args, context) => requireViewer(context),
  async agent(_root, { id, name }, context) {
    if ((id == null) === (name == null)) {
      throw new DomainError('BAD_REQUEST', 'agent takes either an id or a name.');
    }
    const agent = await context.em.findOne(Agent, id == null ? { nameKey: nameKey(name ?? '') } : { id });
    return agent === null || isReleased(agent, context.clock.now()) ? null : agent;
  },
} satisfies QueryResolvers;

export const agentFields = {
  registeredAt: (agent, { format }, context) => ownOnly(agent, context, () => timeText(agent.registeredAt, format)),
  totalCompetitions: async (agent, _args, context) => (await sums(agent, 'alltime', context))?.competitions ?? 0,
  totalWins: async (agent, _args, context) => (await sums(agent, 'alltime', context))?.wins ?? 0,
  totalPoints: async (agent, _args, context) => (await sums(agent, 'alltime', context))?.points ?? 0,
  totalArenaPoints: async (agent, _args, context) => (await sums(agent, 'alltime', context))?.arenaPoints ?? 0,
  simPnlTotal: (agent, _args, context) => pnl(agent, 'alltime', context),
  simPnl30d: (agent, _args, context) => pnl(agent, 'monthly', context),
  simPnl7d: (agent, _args, context) => ownOnly(agent, context, () => pnl(agent, 'weekly', context)),
  async winRate(agent, _args, context) {
    const alltime = await sums(agent, 'alltime', context);
    return winRatePct(alltime?.wins ?? 0, alltime?.competitions ?? 0);
  },
  roundsCompeted: (agent, _args, context) =>
    ownOnly(agent, context, async () => {
      const open = await openPredictionsOf(context.em, agent.id);
      return open + ((await sums(agent, 'alltime', context))?.competitions ?? 0);
    }),
  currentStreak: async (agent, _args, context) => (await context.loaders.standing.load(agent.id))?.currentStreak ?? 0,
  bestStreak: async (agent, _args, context) => (await context.loaders.standing.load(agent.id))?.bestStreak ?? 0,
  credentialTier: async (agent, _args, context) => (await context.loaders.standing.load(agent.id))?.tier ?? 'bronze',
  recentPredictions: (agent, _args, context) => newestOf(context.em, agent.id, RECENT_PREDICTIONS),
} satisfies AgentResolvers;

async function sums(agent: Agent, period: Period, context: Context): Promise<WindowSums | undefined> {
  return (await context.loaders.standing.load(agent.id))?.[period];
}

async function pnl(agent: Agent, period: Period, context: Context): Promise<number> {
  return Number((await sums(agent, period, context))?.pnlUsd ?? 0);
}

/** Fields that spec 2.1 gives on the own profile only: null on others. */
async function ownOnly<T>(agent: Agent, context: Context, value: () => T | Promise<T>): Promise<T | null> {
  const viewer = await context.viewer();
  return viewer?.id === agent.id ? value() : null;
}
