import { beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';

import { get, post } from '../../bench/load.ts';
import { monthTurner } from '../../src/jobs/months.ts';
import { makeLogger } from '../../src/logger.ts';
import { keptConnection } from '../support/kept-connection.ts';
import { insertHistory } from '../support/many-rows.ts';
import { sharedDatabase, sharedService } from '../support/shared.ts';
import { workDuring } from './work.ts';

/** One agent has many rounds; the planner expects the average of all, which is fewer than a page. */
const ROUNDS = 3_000;
const AGENTS = 2_000;
/** Of a page of 50: some rows each, whatever else the agent has. */
const MOST_ROWS = 400;

/** In the middle of its rounds. */
const DAY = new Date(Date.parse('2020-01-01T00:00:00Z') + (ROUNDS / 2) * 3_600_000).toISOString();

const database = sharedDatabase();
const service = sharedService(() => ({
  database: { connection: database.connection, drop: async () => {} },
  keeping: { bytes: 0 },
}));

beforeAll(async () => {
  await insertHistory(service.newEm(), { agents: AGENTS, rounds: 20, regulars: { agents: 1, rounds: ROUNDS } });
  await sql`vacuum analyze`.execute(service.newEm().getKysely());
  // The next month is empty, and stays without statistics: PostgreSQL expects some rows, which it would read in any order.
  await monthTurner({ newEm: service.newEm, log: makeLogger('silent') })(service.clock.now());
});

const agentWith = (fields: string): string => post('/graphql', { query: `{ agent(id: 1) { ${fields} } }` });

test.each([
  ['a profile', get('/api/agents/1')],
  ['the newest predictions', agentWith('predictions(first: 50) { nodes { id score } }')],
  ['the oldest predictions', agentWith('predictions(first: 50, orderBy: OLDEST) { nodes { id score } }')],
  ['the right ones', agentWith('predictions(first: 20, isCorrect: true) { nodes { id score } }')],
  ['those before a day', agentWith(`predictions(first: 20, to: "${DAY}") { nodes { id score } }`)],
  [
    'the oldest ones since a day',
    agentWith(`predictions(first: 20, from: "${DAY}", orderBy: OLDEST) { nodes { id score } }`),
  ],
])('%s of an agent with many rounds read a page of rows', async (_name, request) => {
  using connection = await keptConnection(service.url);
  const readAll = async (): Promise<void> => {
    const answer = await connection.ask(request);
    expect(answer.toString('latin1', 0, 15)).toBe('HTTP/1.1 200 OK');
  };
  await readAll();
  const { plans } = await workDuring(readAll);
  expect(plans.reduce((sum, { rows }) => sum + rows, 0)).toBeLessThan(MOST_ROWS);
});
