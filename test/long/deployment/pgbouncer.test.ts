import { expect, test } from '@jest/globals';

import { ownPostgres } from '../../faults/own-postgres.ts';
import { parseDatabaseUrl } from '../../../src/database/connection.ts';
import { statement, statementsOn } from '../../../src/database/statements.ts';
import { openPool } from '../../../src/database/timed-pool.ts';
import { DeadlineExceeded, withDeadline } from '../../../src/deadline.ts';
import { describeWith } from '../../support/installed.ts';
import { until } from '../../support/poll.ts';
import { shared } from '../../support/shared.ts';
import { snapshot } from '../../support/snapshot.ts';
import { startPgbouncer } from './pgbouncer.ts';

const SLEEP = statement<[string]>({ name: 'sleep', text: 'select pg_sleep(1000)::text' });
const SETTINGS = statement<[string, string, string]>({
  name: null,
  text: `select current_setting('timezone'), current_setting('statement_timeout'), current_setting('enable_seqscan')`,
});
const SLEEPING = `select from pg_stat_activity where state = 'active' and query like '%pg_sleep(1000)%' and pid <> pg_backend_pid()`;

describeWith(['pgbouncer'], 'deploy/pgbouncer.ini', () => {
  const site = shared(async (closing) => {
    const postgres = closing.use(await ownPostgres());
    const { url } = closing.use(await startPgbouncer(postgres));
    return { connection: postgres.connection, address: parseDatabaseUrl(url) };
  });

  /** Statements on one connection, which is another client's next time. */
  async function withPool(
    session: Parameters<typeof openPool>[2],
    work: (pool: ReturnType<typeof statementsOn>) => Promise<void>,
  ) {
    const pool = openPool(site.address, 1, session);
    await work(statementsOn(pool)).finally(() => pool.end());
  }

  const sleeping = () => snapshot(site.connection, (ask) => ask(SLEEPING));

  test('each pool of connections has its own settings, though PgBouncer uses sessions again', async () => {
    await withPool({ statementMs: 1500, byIndex: true }, async (statements) =>
      expect(await statements.rows(SETTINGS, [])).toEqual([['UTC', '1500ms', 'off']]),
    );
    await withPool({}, async (statements) => expect(await statements.rows(SETTINGS, [])).toEqual([['UTC', '0', 'on']]));
  });

  test('a statement ends in PostgreSQL when its caller’s time is up', async () => {
    await withPool({}, async (statements) => {
      const slept = withDeadline(5_000, () => statements.rows(SLEEP, []));
      const late = expect(slept).rejects.toThrow(DeadlineExceeded);
      await until('the statement runs', async () => (await sleeping()).length === 1);
      await late;
      await until('no statement runs', async () => (await sleeping()).length === 0);
      expect(await statements.rows(SETTINGS, [])).toEqual([['UTC', '0', 'on']]);
    });
  });
});
