import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { startEmbeddedPostgres } from '../src/database/embedded-postgres.ts';
import { anchorClock } from '../src/app/open-clock.ts';
import { migrate } from '../src/database/migrate.ts';
import { openOrm } from '../src/database/orm.ts';
import { afterResolution } from '../src/jobs/after-resolution.ts';
import { resolveRound } from '../src/jobs/resolution.ts';
import { reconcile } from '../src/jobs/round-cycle.ts';
import { makeLogger } from '../src/logger.ts';
import { simulatedMarket } from '../src/market/simulated/simulated.ts';
import { addHours } from '../src/rules/hours.ts';
import { processorMs, withChildren } from '../bench/processor-time.ts';
import { prepareTwoUpdates, resolveByTwoUpdates } from './two-updates.ts';

const AGENTS = Number(process.argv[2] ?? 100_000);
/** The last hours push the first ones out of the daily window: adding to and taking from it are both measured. */
const HOURS = Number(process.argv[3] ?? 3);
const START = new Date('2026-01-01T00:00:00Z');

/**
 * Resolves rounds in which every agent predicted, on an embedded PostgreSQL of its own, and beside them a round by two
 * plain UPDATEs (two-updates.ts); prints how long each took, on the clock and of the processor, how much log it wrote
 * and the most memory of this process.
 */
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
  for (const hour of [...Array.from({ length: HOURS }, (_, index) => index), 24, 25]) await resolve(hour);
  await prepareTwoUpdates(newEm(), AGENTS);
  await measured(newEm(), 'two UPDATEs', () => resolveByTwoUpdates(newEm()));
  const megabytes = Math.round(process.resourceUsage().maxRSS / 1024);
  process.stdout.write(`At most ${megabytes} MB of memory in this process\n`);
  await orm.close(true);

  async function resolve(hour: number): Promise<void> {
    const now = addHours(START, hour);
    await reconcile({ newEm, market, log }, now);
    await predict(newEm());
    const after = addHours(now, 1);
    const waiting = await reconcile({ newEm, market, log }, after);
    for (const id of waiting)
      await measured(newEm(), `hour ${hour}`, () => resolveRound({ newEm, market, log }, id, { now: after }));
    await measured(newEm(), `hour ${hour}, what follows`, () => afterResolution({ newEm }, after));
  }
} finally {
  await postgres.stop();
  await rm(folder, { recursive: true, force: true });
}

/** Works behind a checkpoint, so that every page's first change is part of what it costs. */
async function measured(em: SqlEntityManager, name: string, work: () => Promise<unknown>): Promise<void> {
  await em.execute('checkpoint');
  const [before] = await em.execute<{ at: string }[]>('select pg_current_wal_insert_lsn() as at');
  const [busyBefore, started] = [processorMs(await processes(em)), performance.now()];
  await work();
  const seconds = (performance.now() - started) / 1000;
  const busy = (processorMs(await processes(em)) - busyBefore) / 1000;
  const [log] = await em.execute<{ mb: string }[]>(
    'select round(pg_wal_lsn_diff(pg_current_wal_insert_lsn(), ?) / 1e6) as mb',
    [before?.at],
  );
  process.stdout.write(
    `${name}: ${AGENTS} predictions in ${seconds.toFixed(2)} s, ${busy.toFixed(2)} s of the processor, ${log?.mb} MB of log\n`,
  );
}

/** This process, PostgreSQL and its backends. */
async function processes(em: SqlEntityManager): Promise<readonly number[]> {
  const [first] = await em.execute<{ pid: number }[]>(
    "select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid",
  );
  return [process.pid, ...withChildren(first?.pid ?? 0)];
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
