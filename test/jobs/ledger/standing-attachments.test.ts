import { describe, expect, test } from '@jest/globals';

import { openResolver } from '../../../src/jobs/resolve/resolver-loop.ts';
import { addHours } from '../../../src/rules/hours.ts';
import { only } from '../../support/arena.ts';
import { manualClock } from '../../support/manual-clock.ts';
import { insertDecided } from '../inserted-round.ts';
import { hourAsking, playRound } from '../played-round.ts';
import { standingsNow } from '../../oracle/replay.ts';
import { BOARD_FACTS, factDifferences } from '../../oracle/stored-facts.ts';
import { sharedArena } from '../../support/shared.ts';

const ALL = 20_000;
const arena = sharedArena(ALL);

/** As many as a round has for all standings to be written anew. */
const AGENTS = [1, 2, 3];

function play(hour: number) {
  const predictions = AGENTS.map((agentId) => ({ agentId, confidence: 10 * agentId }));
  return insertDecided(arena, { hour, predictions }, { answer: 'YES', rebuildFrom: 1 });
}

function tableNow(): Promise<unknown> {
  return only(arena, `select 'standings'::regclass::oid::int as oid, pg_relation_filenode('standings') as file`);
}

interface Attachment {
  readonly kind: string;
  readonly made: string;
  /** Has a row while it is there. */
  readonly is: string;
  readonly undone: string;
}

const ATTACHMENTS: readonly Attachment[] = [
  {
    kind: 'a view',
    made: 'create view others as select agent_id, alltime_points from standings',
    is: 'select from others having count(*) = 3',
    undone: 'drop view others',
  },
  {
    kind: 'a materialised view',
    made: 'create materialized view others as select agent_id, alltime_points from standings',
    is: `select from pg_matviews where matviewname = 'others'`,
    undone: 'drop materialized view others',
  },
  {
    kind: 'a rule for updates',
    made: `create table others (agent_id int, points int);
      create rule others as on update to standings do also insert into others values (new.agent_id, new.alltime_points)`,
    is: 'select from others having count(*) >= 3',
    undone: 'drop rule others on standings; drop table others',
  },
  {
    kind: 'a rule for deletions',
    made: 'create rule others as on delete to standings do instead nothing',
    is: `select from pg_rules where rulename = 'others'`,
    undone: 'drop rule others on standings',
  },
  {
    kind: 'a publication of the table',
    made: 'create publication others for table standings',
    is: `select from pg_publication_tables where pubname = 'others' and tablename = 'standings'`,
    undone: 'drop publication others',
  },
  {
    kind: 'a publication of all tables',
    made: `create publication others for all tables with (publish = 'insert')`,
    is: `select from pg_publication_tables where pubname = 'others' and tablename = 'standings'`,
    undone: 'drop publication others',
  },
  {
    kind: 'row security',
    made: `alter table standings enable row level security; create policy others on standings using (agent_id > 0)`,
    is: `select from pg_policies p join pg_class c on c.relname = p.tablename where policyname = 'others' and relrowsecurity`,
    undone: 'drop policy others on standings; alter table standings disable row level security',
  },
  {
    kind: 'row security without a policy',
    made: 'alter table standings enable row level security',
    is: `select from pg_class where relname = 'standings' and relrowsecurity`,
    undone: 'alter table standings disable row level security',
  },
  {
    kind: 'extended statistics',
    made: 'create statistics others on daily_points, weekly_points from standings',
    is: `select from pg_statistic_ext where stxname = 'others' and stxrelid = 'standings'::regclass`,
    undone: 'drop statistics others',
  },
  {
    kind: 'a finer statistic of a column',
    made: 'alter table standings alter tier set statistics 1000',
    is: `select from pg_attribute where attrelid = 'standings'::regclass and attname = 'tier' and attstattarget = 1000`,
    undone: 'alter table standings alter tier set statistics -1',
  },
  {
    kind: 'a right to a column',
    made: 'grant select (agent_id, alltime_points) on standings to public',
    is: `select from information_schema.column_privileges
      where table_name = 'standings' and grantee = 'PUBLIC' having count(*) = 2`,
    undone: 'revoke select (agent_id, alltime_points) on standings from public',
  },
  {
    kind: 'a right that its owner has given up',
    made: 'revoke truncate on standings from current_user',
    is: `select from pg_class where relname = 'standings' and not relacl @> (acldefault('r', relowner))[1]`,
    undone: 'grant truncate on standings to current_user',
  },
  {
    kind: 'a trigger',
    made: `create function others() returns trigger language plpgsql as 'begin return new; end';
      create trigger others before update on standings for each row execute function others()`,
    is: `select from pg_trigger where tgname = 'others' and tgrelid = 'standings'::regclass`,
    undone: 'drop trigger others on standings; drop function others',
  },
  {
    kind: 'a foreign key',
    made: 'create table others (agent_id int references standings)',
    is: `select from pg_constraint where conrelid = 'others'::regclass and confrelid = 'standings'::regclass`,
    undone: 'drop table others',
  },
  {
    kind: 'a column of its type',
    made: 'create table others (standing standings)',
    is: `select from pg_attribute where attrelid = 'others'::regclass and attname = 'standing'`,
    undone: 'drop table others',
  },
  {
    kind: 'an index',
    made: 'create index others on standings (weekly_points)',
    is: `select from pg_indexes where indexname = 'others' and tablename = 'standings'`,
    undone: 'drop index others',
  },
  {
    kind: 'a check',
    made: 'alter table standings add constraint others check (agent_id > 0)',
    is: `select from pg_constraint where conname = 'others' and conrelid = 'standings'::regclass`,
    undone: 'alter table standings drop constraint others',
  },
  {
    kind: 'a setting of its long values',
    made: 'alter table standings set (toast.autovacuum_enabled = off)',
    is: `select from pg_class t join pg_class c on c.reltoastrelid = t.oid
      where c.relname = 'standings' and t.reloptions is not null`,
    undone: 'alter table standings reset (toast.autovacuum_enabled)',
  },
  {
    kind: 'a comment',
    made: `comment on table standings is 'read by others'`,
    is: `select where obj_description('standings'::regclass, 'pg_class') = 'read by others'`,
    undone: 'comment on table standings is null',
  },
  {
    kind: 'a security label',
    made: `set allow_system_table_mods = on;
      insert into pg_seclabel values ('standings'::regclass, 'pg_class'::regclass, 0, 'none', 'others')`,
    is: `select from pg_seclabel where objoid = 'standings'::regclass`,
    undone: 'delete from pg_seclabel; reset allow_system_table_mods',
  },
];

describe('of a round of many', () => {
  test.each(ATTACHMENTS)('the standings are right and $kind is still there', async ({ made, is, undone }) => {
    await arena.query(made);
    const table = await tableNow();
    const outcomes = [await play(0), await play(1)];
    const there = await arena.query(is);
    const attached = await tableNow();
    await arena.query(undone);
    expect(there).toHaveLength(1);
    expect(attached).toEqual(table);
    expect(outcomes).toEqual(
      outcomes.map(() => expect.objectContaining({ attached: expect.arrayContaining([expect.any(String)]) })),
    );
    const standings = await standingsNow(arena.query);
    expect(standings.map((one) => [one['agent_id'], one['alltime_competitions']])).toEqual(AGENTS.map((id) => [id, 2]));
    expect(await factDifferences(arena.query, BOARD_FACTS)).toEqual([]);
    expect(await play(2)).toMatchObject({ attached: [] });
    expect(await tableNow()).not.toEqual(table);
  });

  test('the standings are right where a view is made at the last moment', async () => {
    await arena.query(`
      create function add_view() returns event_trigger language plpgsql as
        'begin execute ''create view others as select agent_id from standings''; end';
      create event trigger add_view on ddl_command_start when tag in ('DROP TABLE') execute function add_view()`);
    const played = await play(0);
    await arena.query('drop event trigger add_view; drop function add_view');
    expect(played.attached).toEqual([expect.stringContaining('cannot drop table standings')]);
    expect((await standingsNow(arena.query)).map((one) => one['alltime_competitions'])).toEqual([1, 1, 1]);
  });

  test('one warning names what is attached, however many follow', async () => {
    await arena.query('create view others as select agent_id from standings');
    const start = hourAsking('relative', new Date('2026-01-01T12:00:00Z'));
    const rounds = [];
    for (const ahead of [0, 1]) rounds.push(await playRound(arena, addHours(start, ahead)));
    await arena.query(
      `insert into predictions (round_id, agent_id, prediction, confidence, submitted_at)
       select r.id, a.id, r.choices ->> 0, 60, r.start_time from rounds r, agents a where r.status = 'resolving'`,
    );
    await arena.query(`update rounds set total_entries = $1, confidence_sum = 60 * $1 where status = 'resolving'`, [
      ALL,
    ]);
    const clock = manualClock((rounds.at(-1)?.end ?? start).toISOString());
    const deps = { ...arena, clock, announce: () => {}, onEvents: () => () => {}, report: fail, wakeIn: () => {} };
    const resolver = openResolver(deps);
    resolver.wake();
    await resolver.settled();
    await arena.query('drop view others');
    const sums = await arena.query(
      'select count(*)::int, min(alltime_competitions), max(alltime_competitions) from standings',
    );
    expect(sums).toEqual([{ count: ALL, min: 2, max: 2 }]);
    expect(arena.log.lines.filter(({ level }) => level === 'warn')).toEqual([
      expect.objectContaining({ fields: { attached: ['rule _RETURN on view others'] } }),
    ]);
  });
});

function fail(error: unknown): never {
  throw error;
}
