import type { SqlEntityManager } from '@mikro-orm/postgresql';

import { anchorClock } from '../src/app/open-clock.ts';
import { withClient } from '../src/database/connection.ts';
import { startEmbeddedPostgres } from '../src/database/embedded-postgres.ts';
import { migrate } from '../src/database/migrate.ts';
import { openOrm } from '../src/database/orm.ts';
import { monthTurner } from '../src/jobs/months.ts';
import { afterResolution } from '../src/jobs/resolve/after-resolution.ts';
import { makeLogger } from '../src/logger.ts';
import { addAgents } from './rows/submissions.ts';

/**
 * Writes the data folder of a service in which every agent predicted in each of many hours, in its own process. Rows are
 * written by SQL; months, sums, boards and archives by the service's code. Arguments: the folder, agents, the first hour and
 * the hour after the last.
 */
const [dataDir = '', agents = '', first = '', end = ''] = process.argv.slice(2);
const [start, until] = [new Date(first), new Date(end)];
/** Months are written side by side. */
const LANES = 2;

/** By turns two types, 8 assets and two outcomes. */
const ROUNDS = `with hours as (
    select at, extract(epoch from at)::bigint / 3600 as n from generate_series($1, $2::timestamptz - interval '1 hour', interval '1 hour') at
  ), made as (
    insert into rounds (start_time, end_time, status, question_type, prediction_format, question, choices, subject, source,
      total_entries, confidence_sum, outcome, resolution_value, decided_at, counted_at)
    select at, at + interval '1 hour', 'resolved', case n % 2 when 1 then 'direction' else 'beat_market' end, 'boolean',
      'Is it up?', '["YES","NO"]', ('{BTC,ETH,SOL,AVAX,DOGE,ADA,LINK,DOT}'::text[])[1 + n / 2 % 8], 'simulated', $3::int, 50 * $3::int,
      case n / 3 % 2 when 1 then 'YES' else 'NO' end, n / 3 % 2, at + interval '61 minutes', at + interval '62 minutes'
    from hours order by at returning id, subject
  )
  insert into round_assets (round_id, asset, position, provider_id, open, high, low, close, return_pct)
  select id, subject, 0, subject || '-USD', 100, 102.5, 99, 101.25, 1.25 from made`;
const PREDICTIONS = `insert into predictions (round_id, agent_id, id, prediction, confidence, submitted_at)
  select r.id, a, (r.id - 1) * $3::bigint + a, case mixed & 1 when 1 then 'YES' else 'NO' end, (mixed >> 1 & 1023) % 101,
    r.start_time + a % 3540 * interval '1 second'
  from rounds r cross join generate_series(1, $3::int) a, lateral (select hashint8(a * 1000003::bigint + r.id) as mixed) m
  where r.start_time >= $1 and r.start_time < $2 order by r.id, a`;
const SCORES = `insert into scores (round_id, agent_id, is_correct, score, streak_bonus, place, arena_points, pnl_usd, brier,
    reference_brier, confidence, edge_millionths)
  select round_id, agent_id, is_correct, case when is_correct then 10 + confidence / 2 else -confidence / 2 end, 0,
    1 + (agent_id * 7919 + round_id) % $3::int, 0, round(pnl, 2), brier, 0.25, confidence, ((0.25 - brier) * 1000000)::int
  from predictions p join rounds r on r.id = p.round_id,
    lateral (select p.prediction = r.outcome as is_correct, confidence / 100.0 as stated) c,
    lateral (select power(stated - is_correct::int, 2)::numeric(10, 6) as brier) b,
    lateral (select 100 * (0.25 - brier) as pnl) g
  where r.start_time >= $1 and r.start_time < $2 order by 1, 2`;
const TALLIES = `insert into round_tallies (round_id, prediction, confidence, n)
  select round_id, prediction, confidence, count(*) from predictions p join rounds r on r.id = p.round_id
  where r.start_time >= $1 and r.start_time < $2 group by 1, 2, 3`;
const MINUTES = `insert into crowd_minutes (round_id, minute, prediction, n, confidence_sum)
  select round_id, extract(epoch from submitted_at - start_time)::int / 60, prediction, count(*), sum(confidence)
  from predictions p join rounds r on r.id = p.round_id
  where r.start_time >= $1 and r.start_time < $2 group by 1, 2, 3`;
const PLATFORM = `update platform set sums_due = true, (newest_resolved_end, boards_updated_at, resolved_rounds, decided_predictions,
    decided_confidence_sum) = (select max(end_time), max(decided_at), count(*), sum(total_entries), sum(confidence_sum) from rounds)`;

const postgres = await startEmbeddedPostgres({ dataDir, durable: false });
try {
  await migrate(postgres.connection);
  const orm = await openOrm(postgres.connection);
  const newEm = (): SqlEntityManager => orm.em.fork();
  const log = makeLogger('info');
  await anchorClock(newEm(), { clockStart: start, clockSpeed: 1 }, start);
  await addAgents({ connection: postgres.connection, history: { agents: 0 } }, Number(agents), start);
  const months = await withClient(postgres.connection, async (client) => {
    const made = [];
    for (let month = start; month < until; month = nextMonth(month)) {
      const before = new Date(Math.min(nextMonth(month).getTime(), until.getTime()));
      await client.query(ROUNDS, [month, before, agents]);
      await monthTurner({ newEm, log })(before);
      made.push([month, before] as const);
    }
    return made;
  });
  const lane = (): Promise<void> =>
    withClient(postgres.connection, async (client) => {
      // Triggers look each row up.
      await client.query(`set session_replication_role = replica`);
      for (let month = months.shift(); month !== undefined; month = months.shift()) {
        await client.query(PREDICTIONS, [...month, agents]);
        await client.query(SCORES, [...month, agents]);
        await client.query(TALLIES, [...month]);
        await client.query(MINUTES, [...month]);
        log.info({ month: month[0] }, 'Month written');
      }
    });
  await Promise.all(Array.from({ length: LANES }, lane));
  await withClient(postgres.connection, async (client) => {
    await client.query(`select setval('predictions_id_seq', (select max(id) * $1 from rounds))`, [agents]);
    await client.query('vacuum analyze');
    await client.query(PLATFORM);
  });
  log.info({}, 'Sums');
  await afterResolution({ newEm, log, keyPepper: undefined, report: () => {} }, until);
  log.info({}, 'Followed');
  await withClient(postgres.connection, async (client) => {
    await client.query('vacuum analyze');
    await client.query('checkpoint');
  });
  await orm.close(true);
} finally {
  await postgres.stop();
}

function nextMonth(month: Date): Date {
  return new Date(Date.UTC(month.getUTCFullYear(), month.getUTCMonth() + 1));
}
