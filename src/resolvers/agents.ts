import { PAGE_SIZES } from '../limits.ts';
import {
  agentPage,
  type AgentRow,
  findAgent,
  NO_STANDING,
  openPredictionsOf,
  type StandingRow,
} from '../reads/agents.ts';
import type { WindowFigures } from '../reads/window-sums.ts';
import { calibrationRounds } from '../reads/calibration.ts';
import { type HistoryRequest, pnlPoint, pointsPoint } from '../reads/histories.ts';
import { pageSize } from '../reads/paging.ts';
import { brierFigures } from '../rules/calibration.ts';
import { DomainError, quoted } from '../rules/errors.ts';
import { winRatePct } from '../rules/ranking.ts';
import type { Period } from '../rules/windows.ts';
import { timeText } from '../rules/hours.ts';
import { type Context, requireViewer } from './context.ts';
import type {
  AgentPnlHistoryArgs,
  AgentRegisteredAtArgs,
  AgentResolvers,
  HistoryPointResolvers,
  QueryResolvers,
  StandingResolvers,
} from './schema-types.ts';

const RECENT_PREDICTIONS = 20;

export const agentQueries = {
  me: (_root, _args, context) => requireViewer(context),
  async agent(_root, { id, name }, { services: { read, clock } }) {
    if (id != null && name == null) return read((em) => findAgent(em, { id }, clock.now()));
    if (name != null && id == null) {
      const printed = printable('name', name);
      return read((em) => findAgent(em, { name: printed }, clock.now()));
    }
    throw new DomainError(
      'BAD_REQUEST',
      `agent must be given either an id or a name (got ${id == null ? 'neither' : 'both'}).`,
    );
  },
  agents: (_root, args, context) => context.services.read((em) => agentPage(em, args, context.services.clock.now())),
} satisfies QueryResolvers;

/** Fields that spec 2.1 gives on the own profile only: null on others. */
const ownAgentFields = {
  registeredAt: ownOnly(({ registeredAt }, { format }: AgentRegisteredAtArgs) => timeText(registeredAt, format)),
  simPnl7d: ownOnly((agent, _args: object, context) => pnl(agent, 'weekly', context)),
  roundsCompeted: ownOnly(async (agent, _args: object, context) => {
    const open = await context.services.read((em) => openPredictionsOf(em, agent.id));
    return open + (await sums(agent, 'alltime', context)).competitions;
  }),
} satisfies AgentResolvers;

/** `Type.field` of what the owner of the key alone sees. */
export const OWN_FIELDS: ReadonlySet<string> = new Set(Object.keys(ownAgentFields).map((name) => `Agent.${name}`));

export const agentFields = {
  ...ownAgentFields,
  totalCompetitions: async (agent, _args, context) => (await sums(agent, 'alltime', context)).competitions,
  totalWins: async (agent, _args, context) => (await sums(agent, 'alltime', context)).wins,
  totalPoints: async (agent, _args, context) => (await sums(agent, 'alltime', context)).points,
  totalArenaPoints: async (agent, _args, context) => (await sums(agent, 'alltime', context)).arenaPoints,
  simPnlTotal: (agent, _args, context) => pnl(agent, 'alltime', context),
  simPnl30d: (agent, _args, context) => pnl(agent, 'monthly', context),
  async winRate(agent, _args, context) {
    const { wins, competitions } = await sums(agent, 'alltime', context);
    return winRatePct(wins, competitions);
  },
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
  calibration: ({ id }, args, { loaders }) => loaders.calibration(calibrationRounds(args)).load(id),
  pnlHistory: async ({ id }, args, { loaders }) => (await loaders.history(historyRequest(args)).load(id)).map(pnlPoint),
  pointsHistory: async ({ id }, args, { loaders }) =>
    (await loaders.history(historyRequest(args)).load(id)).map(pointsPoint),
  edgeHistory: ({ id }, args, { loaders }) => loaders.edgeHistory(historyRequest(args)).load(id),
} satisfies AgentResolvers;

async function sums(agent: AgentRow, period: Period, context: Context): Promise<WindowFigures> {
  return (await standingOf(agent, context)).windows[period];
}

async function pnl(agent: AgentRow, period: Period, context: Context): Promise<number> {
  return Number((await sums(agent, period, context)).pnlUsd);
}

/** The resolver of a field that only the agent itself sees. */
function ownOnly<Args, Value>(resolve: (agent: AgentRow, args: Args, context: Context) => Value | Promise<Value>) {
  return async (agent: AgentRow, args: Args, context: Context): Promise<Value | null> => {
    const viewer = await context.viewer();
    return viewer?.id === agent.id ? resolve(agent, args, context) : null;
  };
}

/** The agent's standing; one with nothing in it before the first scored prediction. */
async function standingOf(agent: AgentRow, context: Context): Promise<StandingRow> {
  const { standing } = agent.standing === undefined ? await context.loaders.agent.load(agent.id) : agent;
  return standing ?? NO_STANDING;
}

function historyRequest({ window, points }: Partial<AgentPnlHistoryArgs>): HistoryRequest {
  return { window: window ?? 'alltime', max: pageSize('points', points, PAGE_SIZES.history) };
}

/** The text itself; `BAD_REQUEST` when it holds control characters, which no row has. */
function printable(name: string, text: string): string {
  if (!/\p{Cc}/u.test(text)) return text;
  throw new DomainError('invalid_parameter', `${name} must hold no control characters (got ${quoted(text)}).`, {
    argument: name,
  });
}

export const standingFields = {
  rank: ({ agentId, period }, _args, context) => context.loaders.rank({ period }).load(agentId),
  totalPoints: ({ points }) => points,
  totalArenaPoints: ({ arenaPoints }) => arenaPoints,
  totalWins: ({ wins }) => wins,
  totalCompetitions: ({ competitions }) => competitions,
  winRate: ({ wins, competitions }) => winRatePct(wins, competitions),
  simPnlTotal: ({ pnlUsd }) => Number(pnlUsd),
  brier: (standing) => figuresOf(standing).brier,
  referenceBrier: (standing) => figuresOf(standing).referenceBrier,
  skill: (standing) => figuresOf(standing).skill,
} satisfies StandingResolvers;

function figuresOf({ competitions, brierSum, referenceBrierSum }: WindowFigures) {
  return brierFigures(competitions, Number(brierSum), Number(referenceBrierSum));
}

export const historyPointFields = {
  at: ({ roundId }, _args, { loaders }) => loaders.roundEnd.load(roundId),
  round: ({ roundId }, _args, { loaders }) => loaders.round.load(roundId),
} satisfies HistoryPointResolvers;
