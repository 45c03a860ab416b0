import type { GraphQLResolveInfo } from 'graphql';

import { PAGE_SIZES } from '../limits.ts';
import { agentsPageOf, holdsName, isAgent, isReleased } from '../reads/agents.ts';
import { calibrationRequest } from '../reads/calibration.ts';
import { chartPoint, CHARTS } from '../reads/histories.ts';
import { ownRoundsOf } from '../reads/own-rounds.ts';
import { pageSize } from '../reads/paging.ts';
import { AGENTS, type AgentRow } from '../reads/plan/agent.ts';
import { pageOf } from '../reads/plan/page.ts';
import { fieldsNamed, one } from '../reads/plan/plan.ts';
import { agentRow } from '../reads/plan/rows.ts';
import { DomainError, quoted } from '../rules/errors.ts';
import { timeText } from '../rules/hours.ts';
import { movedOn } from '../rules/default-answers.ts';
import { type Context, requireViewer } from './context.ts';
import { existingRow, plannedField, roundWith } from './planned.ts';
import type { AgentPnlHistoryArgs, AgentRegisteredAtArgs, AgentResolvers, Resolvers } from './schema-types.ts';
import { windowFields } from './standings.ts';

const ownAgentFields = {
  registeredAt: ownOnly(({ registeredAt }, { format }: AgentRegisteredAtArgs) => timeText(registeredAt, format)),
  // This request extends the lapse time too; the database stores it after the answer.
  standingPredictions: ownOnly(
    ({ standingPredictions: { rows, lapsesAt } }, _args: object, { services: { clock } }) => {
      return { rows, lapsesAt: movedOn(lapsesAt, clock.now()) };
    },
  ),
  simPnl7d: ownOnly(({ weeklyPnlUsd }) => Number(weeklyPnlUsd)),
  roundsCompeted: ownOnly(({ competitions, openPredictions }) => competitions + openPredictions),
  webhooks: ownOnly(({ webhooks }) => webhooks),
} satisfies AgentResolvers;

export const OWN_FIELDS: ReadonlySet<string> = new Set(Object.keys(ownAgentFields).map((name) => `Agent.${name}`));

export const agentResolvers = {
  Query: {
    async me(_root, _args, context, info) {
      const { id } = await requireViewer(context);
      return agentHolding(id, context, info);
    },
    async viewer(_root, _args, context, info) {
      const holder = await context.viewer();
      return holder === null ? null : agentHolding(holder.id, context, info);
    },
    async ownRounds(_root, { limit }, context) {
      const agent = await requireViewer(context);
      const most = pageSize('limit', limit, PAGE_SIZES.ownRounds);
      return context.services.read((em) => ownRoundsOf(em, agent, most));
    },
    async agent(_root, { id, name }, context, info) {
      const { field, read, isServiceDocument } = plannedField(context, info);
      const given = idOrName(id, name);
      if (isServiceDocument && 'id' in given) {
        const found = await context.services.agentsById(field.selected, given.id);
        return found === null || isReleased(found, context.services.clock.now()) ? null : found.agent;
      }
      return read(
        one(agentRow(field.selected), AGENTS.where(isAgent(given)).where(holdsName(context.services.clock.now()))),
      );
    },
    async agents(_root, args, context, info) {
      const { field, read } = plannedField(context, info);
      if (args.nameStartsWith != null) printable('nameStartsWith', args.nameStartsWith);
      return read(pageOf(agentsPageOf(args, context.services.clock.now()), field.selected, agentRow));
    },
  },
  Agent: {
    ...ownAgentFields,
    ...windowFields,
    simPnl30d: ({ monthlyPnlUsd }) => Number(monthlyPnlUsd),
    credentialTier: ({ tier }) => tier,
    calibration: ({ id }, args, { loaders }) => loaders.calibration(calibrationRequest(args)).load(id),
    pnlHistory: historyOf('pnl'),
    pointsHistory: historyOf('points'),
    edgeHistory: historyOf('edge'),
  },
  HistoryPoint: {
    at: async ({ roundId }, _args, { loaders }) => existingRow(await loaders.round(END).load(roundId)).endTime,
    round: ({ roundId }, _args, context, info) => roundWith(roundId, context, info),
  },
} satisfies Resolvers;

async function agentHolding(id: number, context: Context, info: GraphQLResolveInfo) {
  const { field, read, isServiceDocument } = plannedField(context, info);
  if (isServiceDocument) return existingRow(await context.services.agentsById(field.selected, id)).agent;
  return read(one(agentRow(field.selected), AGENTS.where('a.id', '=', id)));
}

function idOrName(id: number | null | undefined, name: string | null | undefined): Parameters<typeof isAgent>[0] {
  if (id != null && name == null) return { id };
  if (name != null && id == null) return { name: printable('name', name) };
  throw new DomainError(
    'bad_request',
    `agent must be given either an id or a name (got ${id == null ? 'neither' : 'both'}).`,
  );
}

function printable(name: string, text: string): string {
  if (!/\p{Cc}/u.test(text)) return text;
  throw new DomainError('invalid_parameter', `${name} must hold no control characters (got ${quoted(text)}).`, {
    argument: name,
  });
}

function ownOnly<Args, Value>(resolve: (agent: AgentRow, args: Args, context: Context) => Value | Promise<Value>) {
  return async (agent: AgentRow, args: Args, context: Context): Promise<Value | null> => {
    const viewer = await context.viewer();
    return viewer?.id === agent.id ? resolve(agent, args, context) : null;
  };
}

function historyOf(chart: keyof typeof CHARTS) {
  return async ({ id }: AgentRow, { window, points }: Partial<AgentPnlHistoryArgs>, { loaders }: Context) => {
    const max = pageSize('points', points, PAGE_SIZES.history);
    const request = { window: window ?? 'alltime', max, figures: CHARTS[chart].figures };
    return (await loaders.history(request).load(id)).map((sums) => chartPoint(sums, chart));
  };
}

const END = fieldsNamed('endTime');
