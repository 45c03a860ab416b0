import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { anchorClock } from '../src/app/open-clock.ts';
import { withClient } from '../src/database/connection.ts';
import { startEmbeddedPostgres } from '../src/database/embedded-postgres.ts';
import { migrate } from '../src/database/migrate.ts';
import { openOrm } from '../src/database/orm.ts';
import { afterResolution } from '../src/jobs/resolve/after-resolution.ts';
import { resolveRound } from '../src/jobs/resolve/resolve-round.ts';
import { reconcile } from '../src/jobs/cycle/round-cycle.ts';
import { makeLogger } from '../src/logger.ts';
import { simulatedMarket } from '../src/market/simulated/simulated.ts';
import { addHours } from '../src/rules/hours.ts';
import { insertAgents } from './agents.ts';
import { type History, HISTORY_START, hoursOf } from './history-shapes.ts';

/**
 * Writes the data folder of a service with history, in its own process. The service's code makes and decides the rounds, so all
 * tables are realistic; only agents and answers are written by SQL. Arguments: the folder, and a history as JSON.
 */
const [dataDir = '', given = '{}'] = process.argv.slice(2);
const history: History = JSON.parse(given);

const postgres = await startEmbeddedPostgres({ dataDir });
try {
  await migrate(postgres.connection);
  const orm = await openOrm(postgres.connection);
  const newEm = (): SqlEntityManager => orm.em.fork();
  const deps = { newEm, market: simulatedMarket(), log: makeLogger('silent'), keyPepper: undefined, report: () => {} };
  await anchorClock(newEm(), { clockStart: HISTORY_START, clockSpeed: 1 }, HISTORY_START);
  const { fullRounds, pause, smallRounds, agents, regulars } = history;
  const all = { first: 1, last: agents };
  await withClient(postgres.connection, (client) => insertAgents(client, all, HISTORY_START));
  for (let hour = 0; hour < fullRounds; hour += 1) await play(hour, agents);
  for (let hour = 0; hour < smallRounds; hour += 1) await play(fullRounds + pause + hour, regulars);
  // Includes follow-up work: the measured service would otherwise do it during the measurement.
  await afterResolution(deps, addHours(HISTORY_START, hoursOf(history)));
  await sql`vacuum analyze`.execute(newEm().getKysely());
  await sql`checkpoint`.execute(newEm().getKysely());
  await orm.close(true);

  async function play(hour: number, answers: number): Promise<void> {
    await turn(addHours(HISTORY_START, hour));
    await predict(newEm(), answers);
    await turn(addHours(HISTORY_START, hour + 1));
  }

  async function turn(now: Date): Promise<void> {
    for (const id of await reconcile(deps, now)) await resolveRound(deps, id, { now });
  }
} finally {
  await postgres.stop();
}

/** Answers and confidences are spread evenly. */
async function predict(em: SqlEntityManager, count: number): Promise<void> {
  await sql`with answered as (
      insert into predictions (round_id, agent_id, prediction, confidence, submitted_at)
      select r.id, a.id, r.choices ->> ((mixed & 1023) % jsonb_array_length(r.choices)), ((mixed >> 10) & 1023) % 101, r.start_time + (a.id % 3540) * interval '1 second'
      from rounds r cross join agents a, lateral (select hashint8(a.id * 1000003::bigint + r.id) as mixed) m
      where r.status = 'active' and a.id <= ${count} order by a.id
      returning confidence)
    update rounds set total_entries = (select count(*) from answered),
      confidence_sum = (select sum(confidence) from answered) where status = 'active'`.execute(em.getKysely());
}
