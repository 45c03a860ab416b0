import { withClient } from '../../src/database/connection.ts';
import { insertAgents } from '../agents.ts';
import { pairsOf, type Side } from '../compare.ts';
import { type Target, turnOf } from '../load.ts';
import { measuredService, type MeasuredService, runningRound } from '../measured-service.ts';
import { makePeerTables } from '../peer-tables.ts';
import { startInserter, startPeer } from '../peers.ts';
import type { History } from '../history-shapes.ts';
import { latencyLine, ratioTable } from '../results.ts';
import type { Row, RowOptions } from './row.ts';

/** The history's agents, and as many more as answer in the time: each may answer once. */
const [AGENTS, AGENTS_IF_QUICK] = [600_000, 100_000];

/** P1: POST /api/predictions over 64 connections beside Express 5 with one INSERT, on the same PostgreSQL. */
export const besideExpressInsert: Row = async (options) => {
  await using stack = new AsyncDisposableStack();
  const { service, ours } = await submitting(stack, options);
  const database = await makePeerTables(service.connection, 'inserts', service.history);
  const peer = stack.use(await startPeer('express-insert', { database, parameters: [String(agentsOf(options))] }));
  const pids = (): readonly number[] => [...peer.pids(), ...service.databasePids()];
  const theirs = submittingTo({ url: peer.url, pids }, 'Express 5 + one INSERT', { roundId: 77, prediction: 'ETH' });
  const pairs = await pairsOf(theirs, ours, options);
  return `${ratioTable(theirs.name, [{ what: ours.name, pairs }])}\n\n${latencyLine(pairs)}`;
};

/** P2: the same beside a prepared single-row INSERT of 32 clients without HTTP. */
export const besideSingleRows: Row = async (options) => {
  await using stack = new AsyncDisposableStack();
  const { service, ours } = await submitting(stack, options);
  const database = await makePeerTables(service.connection, 'inserts', service.history);
  const inserter = stack.use(startInserter(database, options.history.agents));
  const theirs: Side = {
    name: 'a prepared single-row INSERT, 32 clients',
    turn: (span) => inserter.turn(span, service.databasePids),
  };
  return ratioTable(theirs.name, [{ what: ours.name, pairs: await pairsOf(theirs, ours, options) }]);
};

async function submitting(
  stack: AsyncDisposableStack,
  options: RowOptions,
): Promise<{ readonly service: MeasuredService; readonly ours: Side }> {
  const service = stack.use(await measuredService(options));
  await addAgents(service, agentsOf(options));
  return { service, ours: await submitter('POST /api/predictions, 64 connections', service) };
}

/** Submits to the running round, which no agent from `first` on has answered. */
export async function submitter(
  name: string,
  { url, pid, databasePids }: Pick<MeasuredService, 'url' | 'pid' | 'databasePids'>,
  first = 1,
): Promise<Side> {
  const { id: roundId, choices } = await runningRound(url);
  const target = { url, pids: () => [pid, ...databasePids()] };
  return submittingTo(target, name, { roundId, prediction: choices[0] ?? '' }, first);
}

/** Each request submits for the next agent. */
function submittingTo(
  target: Target,
  name: string,
  answer: { readonly roundId: number; readonly prediction: string },
  first = 1,
): Side {
  let firstAgent = first;
  return {
    name,
    async turn(span) {
      const turn = await turnOf(
        target,
        { requests: { kind: 'submissions', firstAgent, ...answer }, status: 201 },
        span,
      );
      firstAgent += turn.sent;
      return turn;
    },
  };
}

function agentsOf({ isQuick }: RowOptions): number {
  return isQuick ? AGENTS_IF_QUICK : AGENTS;
}

/** Agents up to this number, which have answered nothing. */
export async function addAgents(
  { connection, history }: Pick<MeasuredService, 'connection'> & { readonly history: Pick<History, 'agents'> },
  agents: number,
  registeredAt = new Date(),
): Promise<void> {
  await withClient(connection, async (client) => {
    await insertAgents(client, { first: history.agents + 1, last: agents }, registeredAt);
    await client.query('vacuum analyze agents');
    await client.query('checkpoint');
  });
}
