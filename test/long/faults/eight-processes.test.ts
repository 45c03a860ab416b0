import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { type ArenaUnderFault, arenaUnderFault } from '../../faults/arena-under-fault.ts';
import { ownPostgres, type OwnPostgres } from '../../faults/own-postgres.ts';
import { deployment } from '../../support/deployment.ts';
import { untilDespiteFaults } from '../../support/poll.ts';
import { databaseUrl } from '../../support/process.ts';
import { describeWithRedis } from '../../support/redis-installed.ts';
import { startRedis } from '../../support/redis.ts';
import { snapshot } from '../../support/snapshot.ts';

const SPEED = 600;
const NAMES = Array.from({ length: 8 }, (_, index) => `process-${index}`);
const ROUNDS = 2;

/** All that is open, also where opening the rest has failed. */
const opened = new AsyncDisposableStack();
let postgres: OwnPostgres;
let arena: ArenaUnderFault;
let output: () => string;

const countOf = async (sql: string): Promise<number> => {
  const [row] = await snapshot(postgres.connection, (ask) => ask<{ n: number }>(`select ${sql} as n`));
  return row?.n ?? 0;
};
const decided = () => countOf(`(select count(*)::int from rounds where status = 'resolved')`);
/** Of the process that has the most. */
const MOST_OF_A_PROCESS = `(select coalesce(max(n), 0)::int from (
  select count(*) as n from pg_stat_activity where application_name like 'process-%' group by application_name) each)`;

describeWithRedis('eight processes on one PostgreSQL of 100 connections', () => {
  beforeAll(async () => {
    const redis = opened.use(await startRedis());
    postgres = opened.use(await ownPostgres());
    const settings = {
      CLOCK_SPEED: String(SPEED),
      DATABASE_URL: databaseUrl(postgres.connection),
      REDIS_URL: redis.url,
    };
    const rows = NAMES.map((name) => ({ PGAPPNAME: name }));
    const site = opened.use(await deployment(settings, rows));
    await site.start();
    output = () => site.processes.map((process) => process.output()).join('');
    const connection = async () => postgres.connection;
    arena = opened.use(await arenaUnderFault({ urls: site.urls, connection, speed: SPEED, seed: 24 }));
  });

  afterAll(() => opened.disposeAsync());

  test('eight processes accept submissions, serve WebSockets and decide rounds with 12 connections each', async () => {
    expect(await countOf(`current_setting('max_connections')::int`)).toBe(100);
    const most: number[] = [];
    await arena.undergo({
      name: 'eight processes at once',
      async happen() {
        const before = await decided();
        await untilDespiteFaults(`${ROUNDS} rounds are decided`, async () => {
          most.push(await countOf(MOST_OF_A_PROCESS));
          return (await decided()) >= before + ROUNDS;
        });
      },
      seen(during) {
        // On a busy machine most requests may wait too long and be refused.
        expect(during.countOf(201)).toBeGreaterThan(0);
      },
    });
    expect(output()).not.toMatch(/too many clients|connection slots/);
    expect(Math.max(...most)).toBeGreaterThan(1);
    expect(Math.max(...most)).toBeLessThanOrEqual(12);
  });
});
