import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Client } from 'pg';

import { until } from '../support/poll.ts';
import { databaseUrl, launch, type RunningService } from '../support/process.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';

const DOCUMENT = readFileSync(join(import.meta.dirname, '../../docs/security.md'), 'utf8');

let database: TestDatabase;
let admin: Client;
let role: string;

beforeAll(async () => {
  database = await createTestDatabase();
  admin = new Client(database.connection);
  await admin.connect();
  role = `runtime_${database.connection.database.slice(-8)}`;
});

afterAll(async () => {
  await admin.query(`drop owned by ${role}`);
  await admin.query(`drop role ${role}`);
  await admin.end();
  await database.drop();
});

/** The statements that the document tells operators to run, with this test's names in the place of its own. */
function grants(): string {
  const sql = /```sql\n(.*?)```/s.exec(DOCUMENT)?.[1] ?? '';
  return sql
    .replaceAll(/\bhourcast_runtime\b/g, role)
    .replaceAll(/\bhourcast_database\b/g, database.connection.database);
}

function start(user: string): Promise<RunningService> {
  return launch({
    DATABASE_URL: databaseUrl({ ...database.connection, user }),
    CLOCK_SPEED: '720',
    MARKET: 'simulated',
  });
}

describe('with the role of docs/security.md', () => {
  test('the service plays and resolves rounds on a schema that another role has made', async () => {
    await using owner = await start(database.connection.user);
    expect((await owner.end()).code).toBe(0);
    await admin.query(grants());
    await using service = await start(role);
    const { body } = await service.post('/api/agents/register', { name: 'tenant' });
    expect(body.success).toBe(true);
    await until('a round is resolved', async () => (await service.get('/api/stats')).body.total_competitions > 0);
    const ended = await service.end();
    expect(ended).toMatchObject({ code: 0, stderr: '' });
    expect(ended.stdout).not.toContain('"level":"error"');
  });

  test.each([
    ['make tables', 'create table mine (id int)'],
    ['change tables', 'alter table agents add column mine int'],
    ['drop tables', 'drop table events'],
    ['make schemas', 'create schema mine'],
    ['make roles', 'create role mine'],
    ['drop the triggers that keep the record', 'drop trigger predictions_kept on predictions'],
    ['switch those triggers off', 'set session_replication_role = replica'],
    ['change predictions', 'update predictions set confidence = 100'],
    ['delete scores', 'delete from scores'],
    ['change the audit', 'update admin_actions set reason = null'],
    ['empty the audit', 'truncate admin_actions'],
    ['forget migrations', 'delete from migrations'],
    ['read files', `select pg_read_file('/etc/passwd')`],
    ['run programs', `copy agents to program 'cat'`],
  ])('nobody can %s', async (_what, statement) => {
    const client = new Client({ ...database.connection, user: role });
    await client.connect();
    try {
      await expect(client.query(statement)).rejects.toThrow(/permission denied|must be owner|only ever added to/);
    } finally {
      await client.end();
    }
  });
});
