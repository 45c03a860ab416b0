import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { PAGE_SIZES } from '../limits.ts';
import {
  pageSize,
  type Connection,
  connectionOf,
  keysIn,
  type PageAsked,
  type PagedList,
  readPages,
} from './paging.ts';
import {
  type PredictionOrder,
  predictionsOfAgent,
  predictionsOfAll,
  predictionsOfRound,
  type RoundPredictionOrder,
} from './prediction-lists.ts';
import type { PredictionFilter } from './prediction-filter.ts';
import type { RoundFilter } from './rounds.ts';
import type { PredictionRow } from './predictions.ts';

export type PredictionPage = Connection<PredictionRow>;

interface PageRequest {
  readonly first?: number | null;
  readonly after?: string | null;
}

export interface RoundPredictionsRequest extends PageRequest, PredictionFilter {
  readonly orderBy?: RoundPredictionOrder | null;
}

export interface AgentPredictionsRequest extends PageRequest, PredictionFilter, RoundFilter {
  readonly orderBy?: PredictionOrder | null;
}

export interface AllPredictionsRequest extends AgentPredictionsRequest {
  readonly agentId?: number | null;
}

/** A list and the page of it that is asked for. */
export interface PageOfList {
  readonly list: PagedList<PredictionRow>;
  readonly page: PageAsked;
}

/** A page of a round's predictions. Throws `BAD_REQUEST` for what the schema's types let through. */
export function roundPageOf(args: RoundPredictionsRequest): PageOfList {
  return pageOf(predictionsOfRound(args, args.orderBy ?? 'OLDEST'), args);
}

/** A page of an agent's predictions. Throws `BAD_REQUEST` for what the schema's types let through. */
export function agentPageOf(args: AgentPredictionsRequest): PageOfList {
  return pageOf(predictionsOfAgent(args, args.orderBy ?? 'NEWEST'), args);
}

/** A page of everybody's predictions, or of one agent's, who is the parent then. Throws as the others. */
export function wholePageOf(args: AllPredictionsRequest, now: Date): PageOfList {
  const orderBy = args.orderBy ?? 'NEWEST';
  const limit = sizeOf(args) + 1;
  return args.agentId == null
    ? pageOf(predictionsOfAll(args, { orderBy, limit, now }), args)
    : agentPageOf({ ...args, orderBy });
}

function pageOf(list: PagedList<PredictionRow>, asked: PageRequest): PageOfList {
  return { list, page: { first: sizeOf(asked), after: keysIn(list.order, asked.after) } };
}

/** The same page of the predictions of several rounds. */
export function pagesOfRounds(em: SqlEntityManager, args: RoundPredictionsRequest, rounds: readonly number[]) {
  return pages(em, roundPageOf(args), rounds);
}

/** The same page of the predictions of several agents. */
export function pagesOfAgents(em: SqlEntityManager, args: AgentPredictionsRequest, agents: readonly number[]) {
  return pages(em, agentPageOf(args), agents);
}

/** A page of everybody's predictions, or of one agent's. */
export async function pageOfAll(em: SqlEntityManager, args: AllPredictionsRequest, now: Date): Promise<PredictionPage> {
  const [page] = await pages(em, wholePageOf(args, now), [args.agentId ?? 0]);
  if (page === undefined) throw new Error('A list with one parent gave no page');
  return page;
}

async function pages(
  em: SqlEntityManager,
  { list, page }: PageOfList,
  parents: readonly number[],
): Promise<readonly PredictionPage[]> {
  const found = await readPages(em, list, { ...page, parents });
  return found.map((one) => connectionOf(one, { first: page.first, order: list.order }, (row) => row));
}

function sizeOf({ first }: PageRequest): number {
  return pageSize('first', first, PAGE_SIZES.connections);
}

/** A slice of a round's predictions: those behind an id, or behind a place. */
export interface Slice {
  readonly orderBy: 'OLDEST' | 'PLACE';
  readonly limit: number;
  readonly behind: number;
}

/** The same slice of several rounds. */
export async function slicesOf(
  em: SqlEntityManager,
  { orderBy, limit, behind }: Slice,
  rounds: readonly number[],
): Promise<readonly (readonly PredictionRow[])[]> {
  const asked = { first: limit, after: behind === 0 ? null : [behind], parents: rounds };
  const found = await readPages(em, predictionsOfRound({}, orderBy), asked);
  return found.map(({ rows }) => rows.slice(0, limit));
}
