import { PAGE_SIZES } from '../limits.ts';
import { type PagedList, pageIn, type PageOfList, type PageRequest, pageSize } from './paging.ts';
import {
  type PredictionOrder,
  predictionsOfAgent,
  predictionsOfAll,
  predictionsOfRound,
  type RoundPredictionOrder,
} from './prediction-lists.ts';
import type { PredictionFilter } from './prediction-filter.ts';
import type { RoundFilter } from './rounds.ts';

export interface RoundPredictionsRequest extends PageRequest, PredictionFilter {
  readonly orderBy?: RoundPredictionOrder | null;
}

export interface AgentPredictionsRequest extends PageRequest, PredictionFilter, RoundFilter {
  readonly orderBy?: PredictionOrder | null;
}

export interface AllPredictionsRequest extends AgentPredictionsRequest {
  readonly agentId?: number | null;
}

/** A page of a round's predictions. Throws `BAD_REQUEST` for what the schema's types let through. */
export function roundPageOf(args: RoundPredictionsRequest): PageOfList {
  return pageOf(predictionsOfRound(args, args.orderBy ?? 'OLDEST'), args);
}

/** A page of an agent's predictions. Throws `BAD_REQUEST` for what the schema's types let through. */
export function agentPageOf(args: AgentPredictionsRequest): PageOfList {
  return pageOf(predictionsOfAgent(args, args.orderBy ?? 'NEWEST'), args);
}

/** A page of all predictions, or of the parent agent's. Throws as the other pages do. */
export function wholePageOf(args: AllPredictionsRequest, now: Date): PageOfList {
  if (args.agentId != null) return agentPageOf(args);
  const limit = pageSize('first', args.first, PAGE_SIZES.connections) + 1;
  return pageOf(predictionsOfAll(args, { orderBy: args.orderBy ?? 'NEWEST', limit, now }), args);
}

function pageOf(list: PagedList, request: PageRequest): PageOfList {
  return { list, page: pageIn(list.order, request, PAGE_SIZES.connections) };
}
