import { expect, test } from '@jest/globals';

import { ownPostgres } from '../../faults/own-postgres.ts';
import { parseDatabaseUrl } from '../../../src/database/connection.ts';
import { statement, statementsOn } from '../../../src/database/statements.ts';
import { openPool } from '../../../src/database/timed-pool.ts';
import { describeWith } from '../../support/installed.ts';
import { shared } from '../../support/shared.ts';
import { startPgbouncer } from './pgbouncer.ts';

const SETTINGS = statement<[string, string, string]>({
  name: null,
  text: `select current_setting('timezone'), current_setting('statement_timeout'), current_setting('enable_seqscan')`,
});

describeWith(['pgbouncer'], 'deploy/pgbouncer.ini', () => {
  const site = shared(async (closing) => {
    const { url } = closing.use(await startPgbouncer(closing.use(await ownPostgres())));
    return { address: parseDatabaseUrl(url) };
  });

  /** Statements on one connection, which is another client's next time. */
  async function withPool(
    session: Parameters<typeof openPool>[2],
    work: (pool: ReturnType<typeof statementsOn>) => Promise<void>,
  ) {
    const pool = openPool(site.address, 1, session);
    await work(statementsOn(pool)).finally(() => pool.end());
  }

  test('each pool of connections has its own settings, though PgBouncer uses sessions again', async () => {
    await withPool({ statementMs: 1500, byIndex: true }, async (statements) =>
      expect(await statements.rows(SETTINGS, [])).toEqual([['UTC', '1500ms', 'off']]),
    );
    await withPool({}, async (statements) => expect(await statements.rows(SETTINGS, [])).toEqual([['UTC', '0', 'on']]));
  });
});
