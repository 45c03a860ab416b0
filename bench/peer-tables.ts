import type { DatabaseConnection } from '../src/database/connection.ts';
import { withClient } from '../src/database/connection.ts';
import { type History, HISTORY_START } from './history-shapes.ts';

type Purpose = 'inserts' | 'nested';

/** For inserts: only key and guard, and a million existing rows. */
const INSERTS = [
  `create table predictions (
    id bigserial primary key, agent_id bigint not null, round_id int not null, prediction text not null,
    confidence smallint not null check (confidence between 0 and 100), submitted_at timestamptz not null default now(),
    unique (round_id, agent_id))`,
  `insert into predictions (agent_id, round_id, prediction, confidence)
    select agent, round, 'BTC', 50 from generate_series(1, 10) round, generate_series(1, 100000) agent`,
];

/** For PostGraphile: as many rows as the service's tables have, and the indexes that its queries need. */
const NESTED = ({ agents, fullRounds, smallRounds, regulars }: History): readonly string[] => [
  'create schema app',
  `create table app.agents (
    id int primary key, name text not null unique, total_points int not null, total_arena_points int not null,
    total_competitions int not null, total_wins int not null, current_streak int not null, best_streak int not null,
    sim_pnl_total float8 not null)`,
  `insert into app.agents select n, 'agent-' || n, (random() * 200000)::int, (random() * 1000)::int, 20, 10, 1, 5,
    random() * 1000 from generate_series(1, ${agents}) n`,
  'create index on app.agents (total_points desc, id)',
  `create table app.rounds (
    id int primary key, question text not null, question_type text not null, start_time timestamptz not null,
    status text not null, total_entries int not null)`,
  `insert into app.rounds select n, 'Will BTC outperform ETH in hour ' || n || '?', 'relative',
    '${HISTORY_START.toISOString()}'::timestamptz + n * interval '1 hour', 'resolved',
    case when n <= ${fullRounds} then ${agents} else ${regulars} end
    from generate_series(1, ${fullRounds + smallRounds}) n`,
  `create table app.predictions (
    id int generated always as identity primary key, agent_id int not null references app.agents,
    round_id int not null references app.rounds, prediction text not null, confidence smallint not null,
    submitted_at timestamptz not null, score int, unique (round_id, agent_id))`,
  `insert into app.predictions (agent_id, round_id, prediction, confidence, submitted_at, score)
    select agent, r.id, 'BTC', agent % 101, r.start_time + agent % 3600 * interval '1 second',
      (array[110, 70, 40, -40, -20, 0])[1 + (random() * 5)::int]
    from app.rounds r, generate_series(1, r.total_entries) agent`,
  'create index on app.predictions (agent_id, id desc)',
  'create index on app.predictions (round_id, score desc, id)',
];

/** On the service's server, so that both share settings and disk. */
export async function makePeerTables(
  service: DatabaseConnection,
  purpose: Purpose,
  history: History,
): Promise<DatabaseConnection> {
  const database = { ...service, database: 'peer' };
  await withClient(service, (client) => client.query(`create database ${database.database}`));
  const statements = purpose === 'inserts' ? INSERTS : NESTED(history);
  await withClient(database, async (client) => {
    for (const statement of [...statements, 'vacuum analyze', 'checkpoint']) await client.query(statement);
  });
  return database;
}
