import type { GraphQLResolveInfo } from 'graphql';

import type { EventKind } from '../entities/event.ts';
import { one } from '../reads/plan/plan.ts';
import { type RoundRow, ROUNDS } from '../reads/plan/round.ts';
import { DomainError } from '../rules/errors.ts';
import type { RoundStatus } from '../rules/round-states.ts';
import { checkId } from './argument-checks.ts';
import { roundRunningAt } from './current-round.ts';
import type { Context } from './context.ts';
import { leaderboard } from './leaderboard.ts';
import { marketResolvers } from './market-data.ts';
import { plannedField } from './planned.ts';
import { roundRequest } from './rounds.ts';
import type { Resolvers } from './schema-types.ts';

interface Root {
  readonly roundId?: number;
  readonly transition?: EventKind;
}

export const subscriptionResolvers = {
  Subscription: {
    events: { subscribe: onSocketsOnly },
    roundUpdated: { subscribe: onSocketsOnly, resolve: roundAfter },
    leaderboardUpdated: { subscribe: onSocketsOnly, resolve: boardNow },
    marketUpdated: { subscribe: onSocketsOnly, resolve: marketResolvers.Query.market },
  },
  Event: {
    round: ({ roundId }, _args, context, info) =>
      // Null if the round was removed but the log still has it.
      roundId === null ? null : context.loaders.round(plannedField(context, info).field.selected).load(roundId),
  },
} satisfies Resolvers;

function boardNow(_root: Root, _args: object, context: Context, info: GraphQLResolveInfo) {
  return leaderboard(context, info);
}

/** The feed runs executions itself, once for all subscribers (feed/hub.ts). */
function onSocketsOnly(): never {
  throw new DomainError('bad_request', 'Subscriptions run over WebSocket on this path, with graphql-transport-ws.');
}

const STATUS_AFTER: Partial<Record<EventKind, RoundStatus>> = {
  ROUND_STORED: 'upcoming',
  ROUND_OPENED: 'active',
  ROUND_CLOSED: 'resolving',
};

async function roundAfter(
  { roundId, transition }: Root,
  { id }: { id?: number | null },
  context: Context,
  info: GraphQLResolveInfo,
): Promise<RoundRow> {
  const round = await roundOf(roundId ?? id ?? null, context, info);
  const status = transition && STATUS_AFTER[transition];
  const undecided = { outcome: null, resolutionValue: null, voidReason: null, voidNote: null, decidedAt: null };
  return status === undefined ? round : Object.assign(round, { status, ...undecided });
}

async function roundOf(id: number | null, context: Context, info: GraphQLResolveInfo): Promise<RoundRow> {
  const request = roundRequest(context, info);
  if (id !== null) checkId('id', id);
  const round =
    id === null
      ? await roundRunningAt(context.services.clock.now(), request)
      : await request.read(one(request.row, ROUNDS.where('r.id', '=', id)));
  if (round !== null) return round;
  if (id === null) throw new DomainError('no_current_round', 'No round is active at present.');
  throw new DomainError('unknown_round', `There is no round ${id}.`);
}
