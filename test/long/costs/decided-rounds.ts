import { type RawBuilder, sql } from 'kysely';

import { ASSETS } from '../../../src/rules/assets.ts';
import { CHECKPOINTS } from '../../../src/rules/forecast/forecast.ts';
import { EXPERTS } from '../../../src/rules/forecast/mixture.ts';
import { MEANS } from '../../../src/rules/forecast/pooling.ts';
import { GRID_POINTS } from '../../../src/rules/grid.ts';
import { insertHistory, roundId } from '../../support/many-rows.ts';
import type { TestService } from '../../support/service.ts';

const SHAPE = { agents: 200, rounds: 120 } as const;

/** A decided round with all that is stored of one. */
export const DECIDED_ROUND = roundId(60);

const POINTS = sql`generate_series(0, ${GRID_POINTS - 1}::int)`;

/**
 * 120 decided rounds about all eight assets, each answered by 200 agents with words: with a price of every asset at every
 * point of the hour, evidence of three sources, the crowd of every minute and forecasts that somebody added to at every point.
 */
export async function insertDecidedRounds(service: TestService): Promise<void> {
  const em = service.newEm();
  await insertHistory(em, SHAPE);
  await em.transactional(async (transaction) => {
    const database = transaction.getKysely();
    const run = (statement: RawBuilder<unknown>) => statement.execute(database);
    // What was decided is never changed otherwise.
    await run(sql`set local session_replication_role = replica`);
    await run(sql`update rounds set question_type = 'best_performer', prediction_format = 'choice', subject = null,
      choices = ${JSON.stringify(ASSETS)}::jsonb, outcome = 'BTC', counted_at = end_time where ${OLD}`);
    await run(sql`update predictions set prediction = ${assetAt(sql`agent_id % 8`)} where ${ofOld('round_id')}`);
    await run(sql`delete from round_assets where ${ofOld('round_id')}`);
    await run(sql`insert into round_assets (round_id, asset, position, provider_id, open, high, low, close, return_pct)
      select id, ${assetAt(sql`k`)}, k, 'a', 100, 102.5, 99, 101.25, 1.25 from rounds, generate_series(0, 7) k where ${OLD}`);
    await run(sql`insert into rationales (round_id, agent_id, rationale, model)
      select round_id, agent_id, repeat('So it "goes". ', 19), 'model' from predictions where ${ofOld('round_id')}`);
    await run(sql`insert into round_quotes (round_id, point, prices, highs, lows)
      select id, point, ${eight(0)}, ${eight(1)}, ${eight(-1)} from rounds, ${POINTS} point where ${OLD}`);
    await run(sql`insert into reference_bases (round_id, covariance)
      select id, (select array_agg(case when k % 9 = 0 then 2.123456789e-5 else 1.123456789e-5 end) from generate_series(0, 63) k)
      from rounds where ${OLD}`);
    const minutes = sql`unnest(${[...CHECKPOINTS]}::int[]) minute`;
    await run(sql`insert into round_forecasts (round_id, minute, recorded_at, entries, decided_until, unpriced, probabilities, said, weights)
      select id, minute, start_time, 100, start_time, '{}', ${numbers(8)}, ${numbers(8 * EXPERTS.length)}, ${numbers(EXPERTS.length)}
      from rounds, ${minutes} where ${OLD}`);
    await run(sql`insert into forecast_scores (round_id, minute, decided_at, brier, expert_briers, totals)
      select id, minute, decided_at, 0.5, ${numbers(EXPERTS.length)}, ${numbers(EXPERTS.length)} from rounds, ${minutes} where ${OLD}`);
    await run(sql`insert into forecast_pools (round_id, decided_until, points, entries, unpriced, means)
      select id, start_time, (select array_agg(p) from ${POINTS} p), (select array_agg(p) from ${POINTS} p), '{}',
        ${numbers(GRID_POINTS * MEANS.length * 8)} from rounds where ${OLD}`);
    await run(sql`insert into crowd_minutes (round_id, minute, prediction, n)
      select id, minute, ${assetAt(sql`k`)}, 3 from rounds, generate_series(0, 59) minute, generate_series(0, 7) k where ${OLD}`);
    await run(sql`insert into round_tallies (round_id, prediction, confidence, n)
      select round_id, prediction, confidence, count(*) from predictions where ${ofOld('round_id')} group by 1, 2, 3`);
    await run(sql`insert into candles (round_id, source, asset, hour_start, open, high, low, close, volume, body_hash, fetched_at)
      select id, shower, ${assetAt(sql`k`)}, start_time, '100.5', '102.25', '99.125', '101', '12345.678', repeat('a', 64), end_time
      from rounds, unnest('{coinbase,kraken,binance}'::text[]) shower, generate_series(0, 7) k where ${OLD}`);
    await run(sql`insert into agreed_candles (round_id, asset, hour_start, open, high, low, close, volume)
      select id, ${assetAt(sql`k`)}, start_time, 100.5, 102.25, 99.125, 101, 12345.678 from rounds, generate_series(0, 7) k where ${OLD}`);
    await run(sql`insert into events (seq, kind, at, round_id, payload)
      select (select last_seq from platform) + row_number() over (order by id, kind), kind, end_time, id, '{}'
      from rounds, unnest('{ROUND_STORED,ROUND_OPENED,ROUND_CLOSED,ROUND_RESOLVED}'::text[]) kind where ${OLD}`);
    await run(sql`update platform set last_seq = (select max(seq) from events)`);
    await run(sql`analyze`);
  });
}

/** All 200 agents answer the running round, at half of its hour so far. */
export async function answerRunningRound(service: TestService): Promise<void> {
  const { newEm, clock } = service;
  await sql`with answered as (
      insert into predictions (round_id, agent_id, prediction, confidence, submitted_at)
      select r.id, a.id, r.choices ->> (a.id % jsonb_array_length(r.choices)), a.id % 101,
        r.start_time + (${clock.now()}::timestamptz - r.start_time) * (a.id / 250.0)
      from rounds r, agents a where r.status = 'active' returning round_id
    ) update rounds set total_entries = (select count(*) from answered) where id = (select round_id from answered limit 1)`.execute(
    newEm().getKysely(),
  );
}

/** Agents' sums over all time as after the history, which a calibration is held against. */
export async function addHistoryToStandings(service: TestService): Promise<void> {
  await sql`update standings set daily_reference_brier_sum = 30, weekly_reference_brier_sum = 30,
    monthly_reference_brier_sum = 30, alltime_reference_brier_sum = 30`.execute(service.newEm().getKysely());
}

function numbers(count: number): RawBuilder<unknown> {
  return sql`(select array_agg(k / 1234567.0) from generate_series(1, ${count}::int) k)`;
}

/** Rounds that the history made, among those of the service. */
const OLD = sql`id >= ${roundId(1)}`;

function ofOld(column: string): RawBuilder<unknown> {
  return sql`${sql.ref(column)} >= ${roundId(1)}`;
}

function assetAt(place: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`(${[...ASSETS]}::text[])[${place} + 1]`;
}

/** Prices with as many digits as real ones have, `more` USD apart. */
function eight(more: number): RawBuilder<unknown> {
  return sql`(select array_agg(60000.123456789 + ${more}::float8 + sin(id * 240 + point + k) order by k) from generate_series(1, 8) k)`;
}
