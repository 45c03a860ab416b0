import { getCACertificates, setDefaultCACertificates } from 'node:tls';

import { type DatabaseConnection, withClient } from '../../../src/database/connection.ts';
import { ownPostgres } from '../../faults/own-postgres.ts';
import { deployment } from '../../support/deployment.ts';
import { startRedis } from '../../support/redis.ts';
import type { ServiceProcess } from '../../support/service-process.ts';
import { startNginx } from '../deployment/nginx.ts';
import { startPgbouncer } from '../deployment/pgbouncer.ts';

/** A program that the site is made of. */
export interface Part {
  /** Ends it without a word. */
  kill(): Promise<unknown>;
  /** Starts it again at the same address; resolves when it answers. */
  start(): Promise<void>;
}

export const PARTS = [
  'api 1',
  'api 2',
  'feed 1',
  'feed 2',
  'worker 1',
  'worker 2',
  'Redis',
  'PgBouncer',
  'PostgreSQL',
  'nginx',
] as const;
export type PartName = (typeof PARTS)[number];

/** Two processes of each role behind nginx, which have the database through PgBouncer. */
export interface BalancedSite extends AsyncDisposable {
  /** That of nginx, whose certificate this process accepts. */
  readonly url: string;
  readonly processes: readonly ServiceProcess[];
  readonly parts: Readonly<Record<PartName, Part>>;
  /** Past PgBouncer. */
  readonly connection: DatabaseConnection;
}

/** Events of earlier hours, so that readers that are behind need segments. */
const EARLIER_EVENTS = 2_000;
const REMEMBER = `
  with drawn as (
    update platform set last_seq = last_seq + ${EARLIER_EVENTS} returning last_seq - ${EARLIER_EVENTS} as base, created_at)
  insert into events (seq, kind, at, payload)
    select base + n, 'LEADERBOARD_CHANGED', created_at, '{}' from drawn, generate_series(1, ${EARLIER_EVENTS}) n`;

export async function balancedSite(speed: number): Promise<BalancedSite> {
  await using opened = new AsyncDisposableStack();
  const redis = opened.use(await startRedis());
  const postgres = opened.use(await ownPostgres());
  const pgbouncer = opened.use(await startPgbouncer(postgres));
  const { connection } = postgres;
  const roles = ['api', 'api', 'feed', 'feed', 'worker', 'worker'];
  const { processes } = opened.use(
    await deployment(
      { CLOCK_SPEED: String(speed), DATABASE_URL: pgbouncer.url, REDIS_URL: redis.url, TRUST_PROXY: '1' },
      roles.map((ROLE) => ({ ROLE })),
    ),
  );
  const [api1, api2, feed1, feed2, worker1, worker2] = processes;
  if (!api1 || !api2 || !feed1 || !feed2 || !worker1 || !worker2) throw new Error('A process is missing');
  // It makes the tables.
  await api1.start();
  await api1.end('SIGTERM');
  await withClient(connection, (client) => client.query(REMEMBER));
  await Promise.all(processes.map((process) => process.start()));
  const nginx = await startNginx(opened, [api1.url, api2.url], [feed1.url, feed2.url]);
  const trusted = getCACertificates('default');
  setDefaultCACertificates([...trusted, nginx.authority]);
  opened.defer(() => setDefaultCACertificates(trusted));
  const kept = opened.move();
  return {
    url: nginx.url,
    processes,
    parts: {
      'api 1': part(api1),
      'api 2': part(api2),
      'feed 1': part(feed1),
      'feed 2': part(feed2),
      'worker 1': part(worker1),
      'worker 2': part(worker2),
      Redis: redis,
      PgBouncer: pgbouncer,
      PostgreSQL: postgres,
      nginx,
    },
    connection,
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

function part(process: ServiceProcess): Part {
  return { kill: () => process.end('SIGKILL'), start: () => process.start() };
}
