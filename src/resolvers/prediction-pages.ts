import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { PAGE_SIZES } from '../limits.ts';
import { pageSize } from './argument.ts';
import { type Connection, connectionOf } from './connection.ts';
import { keysIn, type PagedList, readPages } from './keyset.ts';
import { predictionsOfAgent, predictionsOfAll, predictionsOfRound } from './prediction-lists.ts';
import type { PredictionRow } from './prediction-rows.ts';
import type { AgentPredictionsArgs, QueryPredictionsArgs, RoundPredictionsArgs } from './schema-types.ts';

export type PredictionPage = Connection<PredictionRow>;

interface Asked {
  readonly first?: number | null;
  readonly after?: string | null;
}

/** The same page of the predictions of several rounds. */
export function pagesOfRounds(em: SqlEntityManager, args: Partial<RoundPredictionsArgs>, rounds: readonly number[]) {
  return pages(em, predictionsOfRound(args, args.orderBy ?? 'OLDEST'), { ...args, parents: rounds });
}

/** The same page of the predictions of several agents. */
export function pagesOfAgents(em: SqlEntityManager, args: Partial<AgentPredictionsArgs>, agents: readonly number[]) {
  return pages(em, predictionsOfAgent(args, args.orderBy ?? 'NEWEST'), { ...args, parents: agents });
}

/** A page of everybody's predictions, or of one agent's. */
export async function pageOfAll(em: SqlEntityManager, args: Partial<QueryPredictionsArgs>): Promise<PredictionPage> {
  const orderBy = args.orderBy ?? 'NEWEST';
  const most = sizeOf(args) + 1;
  const ofAgent = args.agentId != null;
  const list = ofAgent ? predictionsOfAgent(args, orderBy) : predictionsOfAll(args, { orderBy, most });
  const [page] = await pages(em, list, { ...args, parents: [args.agentId ?? 0] });
  if (page === undefined) throw new Error('A list with one parent gave no page');
  return page;
}

async function pages(
  em: SqlEntityManager,
  list: PagedList<PredictionRow>,
  asked: Asked & { readonly parents: readonly number[] },
): Promise<readonly PredictionPage[]> {
  const first = sizeOf(asked);
  const found = await readPages(em, list, { first, after: keysIn(list.order, asked.after), parents: asked.parents });
  return found.map((page) => connectionOf(page, { first, order: list.order }, (row) => row));
}

function sizeOf({ first }: Asked): number {
  return pageSize('first', first, PAGE_SIZES.connections);
}
