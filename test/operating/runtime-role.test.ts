import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

import { Client } from 'pg';

import { examine } from '../../src/doctor/doctor.ts';
import { until } from '../support/poll.ts';
import { databaseUrl, launch, type RunningService } from '../support/process.ts';
import { ADMIN_ACTIONS } from '../../src/rules/admin-actions.ts';
import { TOKEN } from './admin.ts';
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
  const sql = [...DOCUMENT.matchAll(/```sql\n(.*?)```/gs)].map(([, block]) => block).join('');
  return sql
    .replaceAll(/\bhourcast_runtime\b/g, role)
    .replaceAll(/\bhourcast_database\b/g, database.connection.database);
}

function start(user: string): Promise<RunningService> {
  return launch({
    DATABASE_URL: databaseUrl({ ...database.connection, user }),
    CLOCK_SPEED: '720',
    MARKET: 'simulated',
    ADMIN_TOKEN: TOKEN,
  });
}

describe('role of docs/security.md', () => {
  test('the service plays and resolves rounds on another role’s schema', async () => {
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

  test('operators act on rounds, agents and keys with the limited role', async () => {
    await using service = await start(role);
    const { body } = await service.post('/api/agents/register', { name: 'subject' });
    const { agent, api_key: key } = body;
    let round = 0;
    await until('it has answered a round', async () => {
      const { id = 0, choices = [] } = (await service.get('/api/rounds/current')).body.round ?? {};
      const prediction = {
        round_id: id,
        prediction: choices[0],
        confidence: 60,
        rationale: 'A feeling.',
        model: 'm-1',
      };
      round = id;
      return (await service.post('/api/predictions', prediction, key)).status === 201;
    });
    await until('it is decided', async () => {
      const { status } = (await service.get(`/api/rounds/${round}`)).body.round;
      return status === 'resolved' || status === 'void';
    });
    const { outcome, choices } = (await service.get(`/api/rounds/${round}`)).body.round;
    const targets = { rounds: round, agents: agent.id, keys: 1 };
    const fields = { reason: 'To try it', round, outcome: choices.find((one: string) => one !== outcome) };
    for (const { of, name } of ADMIN_ACTIONS) {
      const { status } = await service.post(`/admin/${of}/${targets[of]}/${name}`, fields, TOKEN);
      expect([name, status]).toEqual([name, ['void', 'retry'].includes(name) ? 409 : 200]);
    }
    const again = { reason: 'To try it', from_evidence: true };
    expect((await service.post(`/admin/rounds/${round}/amend`, again, TOKEN)).status).toBe(200);
    const { stdout } = await service.end();
    expect(stdout).not.toContain('"level":"error"');
  });

  test('doctor finds no missing grant, and reports each revoked one', async () => {
    const settings = { DATABASE_URL: databaseUrl({ ...database.connection, user: role }), PORT: '1' };
    const missing = async () =>
      (await examine(settings, () => new Date())).filter(({ check, wrong }) => wrong && check === 'rights');
    expect(await missing()).toEqual([]);
    const { rows } = await admin.query<{ relation: string; right: string }>(
      `select table_schema || '.' || table_name as relation, lower(privilege_type) as right
       from information_schema.role_table_grants where grantee = $1
         and not exists (select from pg_inherits where inhrelid = format('%I.%I', table_schema, table_name)::regclass)
       union select 'function ' || routine_name, 'execute' from information_schema.role_routine_grants where grantee = $1
       order by 1, 2`,
      [role],
    );
    for (const { relation, right } of rows) await admin.query(`revoke ${right} on ${relation} from ${role}`);
    const [found] = await missing();
    const names = rows.map(({ relation, right }) => `${right} on ${relation.split('.').at(-1)}`);
    expect(
      found?.what
        .replace(/^.*: (.*)\. docs.*$/s, '$1')
        .split(', ')
        .toSorted(),
    ).toEqual(names.toSorted());
    await admin.query(grants().replace(/create role.*?;/, ''));
    expect(await missing()).toEqual([]);
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
  ])('the role cannot %s', async (_what, statement) => {
    const client = new Client({ ...database.connection, user: role });
    await client.connect();
    try {
      await expect(client.query(statement)).rejects.toThrow(/permission denied|must be owner|only ever added to/);
    } finally {
      await client.end();
    }
  });
});
