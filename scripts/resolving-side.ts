import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { processorMs, withChildren } from '../bench/processor-time.ts';
import type * as EmbeddedPostgres from '../src/database/embedded-postgres.ts';
import type * as OpenClock from '../src/app/open-clock.ts';
import type * as Migrate from '../src/database/migrate.ts';
import type * as OpenOrm from '../src/database/orm.ts';
import type * as Resolution from '../src/jobs/resolve/resolve-round.ts';
import type * as RoundCycle from '../src/jobs/cycle/round-cycle.ts';
import type * as Simulated from '../src/market/simulated/simulated.ts';
import type * as AfterResolution from '../src/jobs/resolve/after-resolution.ts';
import { makeLogger } from '../src/logger.ts';
import { addHours } from '../src/rules/hours.ts';

const START = new Date('2026-01-01T00:00:00Z');
/**
 * Disables PostgreSQL's own vacuum, which would run amid a measurement. Without `analyze`: at an hour's end the statistics lack
 * its round.
 */
const VACUUMED = 'vacuum predictions, scores, standings';

export interface Taken {
  /** Wall time. */
  readonly seconds: number;
  /** Processor time of this process, PostgreSQL and its backends. */
  readonly busySeconds: number;
  readonly walMegabytes: number;
}

/**
 * A checkout of the service on its own embedded PostgreSQL, with agents who predict in every round. Uses only the folder's own
 * modules, and registers the agents.
 */
export async function openResolvingSide(folder: string, agents: number) {
  await using stack = new AsyncDisposableStack();
  const parts = await partsIn(folder);
  const dataDir = await mkdtemp(join(tmpdir(), 'hourcast-measure-'));
  stack.defer(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = await parts.startEmbeddedPostgres({ dataDir });
  stack.defer(() => postgres.stop());
  await parts.migrate(postgres.connection);
  const orm = await parts.openOrm(postgres.connection);
  stack.defer(() => orm.close(true));
  const newEm = (): SqlEntityManager => orm.em.fork();
  const deps = {
    newEm,
    market: parts.simulatedMarket(),
    log: makeLogger('silent'),
    keyPepper: undefined,
    report: () => {},
  };
  await parts.anchorClock(newEm(), { clockStart: START, clockSpeed: 1 }, START);
  await registerAgents(newEm(), agents);
  const opened = stack.move();
  /** Begins with a checkpoint, so that every page's first change is part of the cost. */
  const measured = (work: () => Promise<unknown>): Promise<Taken> => takenBy(newEm(), work);
  return {
    newEm,
    measured,
    /** Measures the hour's end: its closing, its resolution, and the follow-up work if the checkout has it. */
    async resolve(hour: number) {
      const now = addHours(START, hour);
      const after = addHours(now, 1);
      await parts.reconcile(deps, now);
      await predict(newEm(), hour);
      let waiting: readonly number[] = [];
      const closing = await measured(async () => {
        waiting = await parts.reconcile(deps, after);
      });
      await newEm().execute(VACUUMED);
      const resolution = await measured(async () => {
        for (const id of waiting) await parts.resolveRound(deps, id, { now: after });
      });
      const { afterResolution } = parts;
      return {
        closing,
        resolution,
        follows: afterResolution === null ? null : await measured(() => afterResolution(deps, after)),
      };
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}

/** The measured functions of the checkout in `folder`. */
async function partsIn(folder: string) {
  const at = (path: string): string => join(folder, 'src', path);
  // Older checkouts have no folders in src/jobs.
  const either = (path: string, before: string): string => at(existsSync(at(path)) ? path : before);
  const { startEmbeddedPostgres }: typeof EmbeddedPostgres = await import(at('database/embedded-postgres.ts'));
  const { anchorClock }: typeof OpenClock = await import(at('app/open-clock.ts'));
  const { migrate }: typeof Migrate = await import(at('database/migrate.ts'));
  const { openOrm }: typeof OpenOrm = await import(at('database/orm.ts'));
  const { resolveRound }: typeof Resolution = await import(
    either('jobs/resolve/resolve-round.ts', 'jobs/resolution.ts')
  );
  const { reconcile }: typeof RoundCycle = await import(either('jobs/cycle/round-cycle.ts', 'jobs/round-cycle.ts'));
  const { simulatedMarket }: typeof Simulated = await import(at('market/simulated/simulated.ts'));
  const after = either('jobs/resolve/after-resolution.ts', 'jobs/after-resolution.ts');
  const following: typeof AfterResolution | null = existsSync(after) ? await import(after) : null;
  const afterResolution = following?.afterResolution ?? null;
  return {
    startEmbeddedPostgres,
    anchorClock,
    migrate,
    openOrm,
    resolveRound,
    reconcile,
    simulatedMarket,
    afterResolution,
  };
}

async function takenBy(em: SqlEntityManager, work: () => Promise<unknown>): Promise<Taken> {
  await em.execute('checkpoint');
  const [before] = await em.execute<{ at: string }[]>('select pg_current_wal_insert_lsn() as at');
  const [busyBefore, started] = [processorMs(await processes(em)), performance.now()];
  await work();
  const seconds = (performance.now() - started) / 1000;
  const busySeconds = (processorMs(await processes(em)) - busyBefore) / 1000;
  const [log] = await em.execute<{ mb: string }[]>(
    'select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), ?) / 1e6 as mb',
    [before?.at],
  );
  return { seconds, busySeconds, walMegabytes: Number(log?.mb) };
}

async function processes(em: SqlEntityManager): Promise<readonly number[]> {
  const [first] = await em.execute<{ pid: number }[]>(
    "select split_part(pg_read_file('postmaster.pid'), E'\\n', 1)::int as pid",
  );
  return [process.pid, ...withChildren(first?.pid ?? 0)];
}

async function registerAgents(em: SqlEntityManager, agents: number): Promise<void> {
  await sql`insert into agents (name, name_key, mode, key_hash, registered_at)
    select 'agent-' || n, 'agent-' || n, 'compete', lpad(to_hex(n), 64, '0'), ${START} from generate_series(1, ${agents}) n`.execute(
    em.getKysely(),
  );
}

/** The hour is the seed: every side gets the same predictions. */
async function predict(em: SqlEntityManager, hour: number): Promise<void> {
  await em.transactional(async (transaction) => {
    const database = transaction.getKysely();
    await sql`select setseed(${hour / 1000})`.execute(database);
    await sql`with answered as (
        insert into predictions (round_id, agent_id, prediction, confidence, submitted_at)
        select r.id, a.id, r.choices ->> (random() * (jsonb_array_length(r.choices) - 1))::int, (random() * 100)::int,
          r.start_time + random() * interval '59 minutes'
        from rounds r cross join agents a where r.status = 'active' returning confidence)
      update rounds set total_entries = (select count(*) from answered),
        confidence_sum = (select sum(confidence) from answered) where status = 'active'`.execute(database);
  });
}
