import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { startEmbeddedPostgres } from '../src/database/embedded-postgres.ts';
import { anchorClock } from '../src/app/open-clock.ts';
import { migrate } from '../src/database/migrate.ts';
import { openOrm } from '../src/database/orm.ts';
import { resolveRound } from '../src/jobs/resolution.ts';
import { reconcile } from '../src/jobs/round-cycle.ts';
import { makeLogger } from '../src/logger.ts';
import { simulatedMarket } from '../src/market/simulated/simulated.ts';
import { addHours } from '../src/rules/hours.ts';

const AGENTS = Number(process.argv[2] ?? 100_000);
/** The last hours push the first ones out of the daily window: adding to and taking from it are both measured. */
const HOURS = Number(process.argv[3] ?? 3);
const START = new Date('2026-01-01T00:00:00Z');

/** Resolves rounds in which every agent predicted, on an embedded PostgreSQL of its own, and prints how long each took. */
const folder = await mkdtemp(join(tmpdir(), 'hourcast-measure-'));
const postgres = await startEmbeddedPostgres({ dataDir: folder });
try {
  await migrate(postgres.connection);
  const orm = await openOrm(postgres.connection);
  const market = simulatedMarket();
  const log = makeLogger('silent');
  const newEm = (): SqlEntityManager => orm.em.fork();
  await anchorClock(newEm(), { clockStart: START, clockSpeed: 1 }, START);
  await registerAgents(newEm());
  for (const hour of [...Array.from({ length: HOURS }, (_, index) => index), 24, 25]) await measure(hour);
  await orm.close(true);

  async function measure(hour: number): Promise<void> {
    const now = addHours(START, hour);
    await reconcile({ newEm, market, log }, now);
    await predict(newEm());
    const after = addHours(now, 1);
    const waiting = await reconcile({ newEm, market, log }, after);
    for (const id of waiting) {
      const started = performance.now();
      await resolveRound({ newEm, market, log }, id, { now: after });
      const seconds = (performance.now() - started) / 1000;
      process.stdout.write(`hour ${hour}: ${AGENTS} predictions resolved in ${seconds.toFixed(2)} s\n`);
    }
  }
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

async function registerAgents(em: SqlEntityManager): Promise<void> {
  await sql`insert into agents (name, name_key, mode, key_hash, registered_at)
    select 'agent-' || n, 'agent-' || n, 'compete', md5(n::text), ${START} from generate_series(1, ${AGENTS}) n`.execute(
    em.getKysely(),
  );
}

async function predict(em: SqlEntityManager): Promise<void> {
  await sql`with answered as (
      insert into predictions (round_id, agent_id, prediction, confidence, submitted_at)
      select r.id, a.id, r.choices ->> (random() * (jsonb_array_length(r.choices) - 1))::int, (random() * 100)::int,
        r.start_time + random() * interval '59 minutes'
      from rounds r cross join agents a where r.status = 'active' returning confidence)
    update rounds set total_entries = (select count(*) from answered),
      confidence_sum = (select sum(confidence) from answered) where status = 'active'`.execute(em.getKysely());
}
