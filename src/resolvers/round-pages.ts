import { type FilterQuery, raw, type SqlEntityManager } from '@mikro-orm/postgresql';

import { Round } from '../entities/round.ts';
import { PAGE_SIZES } from '../limits.ts';
import { ASSETS, isAsset } from '../rules/assets.ts';
import { DomainError } from '../rules/errors.ts';
import { pageSize } from './argument.ts';
import type { QueryRoundsArgs } from './schema-types.ts';

/** A page of rounds, newest first. The cursor is a round's start, so that new rounds neither hide nor repeat any. */
export async function roundPage(em: SqlEntityManager, args: Partial<QueryRoundsArgs>) {
  const first = pageSize('first', args.first, PAGE_SIZES.recentRounds);
  const before = args.after == null ? null : startOfCursor(args.after);
  const found = await em.find(Round, filter(args, before), { orderBy: { startTime: 'desc' }, limit: first + 1 });
  const nodes = found.slice(0, first);
  const edges = nodes.map((node) => ({ node, cursor: cursorOf(node) }));
  return {
    nodes,
    edges,
    pageInfo: {
      hasNextPage: found.length > first,
      hasPreviousPage: before !== null,
      startCursor: edges.at(0)?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

function filter(args: Partial<QueryRoundsArgs>, before: Date | null) {
  const conditions: FilterQuery<Round>[] = [];
  if (before !== null) conditions.push({ startTime: { $lt: before } });
  if (args.status != null) conditions.push({ status: { $in: args.status } });
  if (args.questionType != null) conditions.push({ questionType: { $in: args.questionType } });
  if (args.from != null) conditions.push({ startTime: { $gte: args.from } });
  if (args.to != null) conditions.push({ startTime: { $lt: args.to } });
  if (args.asset != null) conditions.push({ id: { $in: decidedBy(args.asset) } });
  return { $and: conditions };
}

function decidedBy(asset: string) {
  if (!isAsset(asset))
    throw new DomainError('BAD_REQUEST', `asset takes one of ${ASSETS.join(', ')}, not ${JSON.stringify(asset)}.`);
  return raw('(select round_id from round_assets where asset = ?)', [asset]);
}

function cursorOf({ startTime }: Round): string {
  return Buffer.from(startTime.toISOString()).toString('base64url');
}

function startOfCursor(cursor: string): Date {
  const start = new Date(Buffer.from(cursor, 'base64url').toString());
  if (Number.isNaN(start.getTime()))
    throw new DomainError('BAD_REQUEST', 'after takes an endCursor that an earlier page gave.');
  return start;
}
