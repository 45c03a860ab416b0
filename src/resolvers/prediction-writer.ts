import type { Clock } from '../clock.ts';
import { isDuplicate } from '../database/failures.ts';
import { statement, type Statements } from '../database/statements.ts';
import { withDeadline } from '../deadline.ts';
import { batcher } from '../batching.ts';
import { ANSWER_MS } from '../limits.ts';
import type { PredictionRow } from '../reads/plan/prediction.ts';
import { firstRoundSince } from '../reads/predictions.ts';
import { hourOf } from '../rules/hours.ts';
import { IDEMPOTENCY_WINDOW } from '../rules/predictions.ts';

/** Confidence, key, rationale and model are within bounds; the prediction is valid in some round. */
export interface OfferedPrediction extends Pick<PredictionRow, OfferedColumn> {
  readonly keyHash: string;
  readonly idempotencyKey: string | null;
}

type OfferedColumn = 'roundId' | 'prediction' | 'confidence' | 'rationale' | 'model';

/** Committed and durable. */
type AcceptedPrediction = Pick<PredictionRow, 'id' | 'agentId' | 'agentName' | 'submittedAt'>;

/** Stores predictions. Concurrent ones share a statement; each resolves once its commit is on disk. */
export interface PredictionWriter {
  /** Null: nothing was written. A rejection leaves it unknown, unless the deadline passed before the statement. */
  readonly write: (offered: OfferedPrediction) => Promise<AcceptedPrediction | null>;
  readonly settled: () => Promise<void>;
}

const MAX_IN_A_STATEMENT = 500;

/** One, so that ids grow with submission times. Two would only wait for each other at the round's row. */
const STATEMENTS_IN_FLIGHT = 1;

/**
 * Predictions that arrive while a statement runs go into the next. Those with the same API key are written in arrival
 * order.
 */
export function predictionWriter(statements: Statements, clock: Clock, lockMs: number): PredictionWriter {
  const firstRound = firstRoundLookup(statements);
  const { add, settled } = batcher({
    inFlight: STATEMENTS_IN_FLIGHT,
    // A statement costs far more than one more prediction in it.
    delayToNextTick: true,
    max: MAX_IN_A_STATEMENT,
    exclusiveKey: ({ keyHash }: OfferedPrediction) => keyHash,
    run: (batch) =>
      withDeadline(ANSWER_MS, async () => {
        const now = clock.now();
        const hasKey = batch.some(({ idempotencyKey }) => idempotencyKey !== null);
        return insert(statements, batch, { now, lockMs, firstRoundId: hasKey ? await firstRound(now) : null });
      }),
  });
  return { write: add, settled };
}

const NO_WORDS = { names: '', columns: '', arrays: '', inserted: '' };

/**
 * Inserts a batch of offers of unblocked, competing agents with valid keys for one round. The deadline and the round's
 * status are checked on the locked round: closing waits for the statement, and later statements find a closed round.
 * Batches of all processes queue at that row, so ids grow in commit order.
 * Repeats are filtered out before the insert, so only new rows use ids. `on conflict` would look each new row up once
 * more, and log 49 bytes for it; a concurrent repeat elsewhere fails the statement, which then runs again. The plan is
 * cached, so it must suit large tables too. The filter's order forces the primary key while the table is nearly empty.
 * `offset 0` forces lookups of agents by index: a join planned for few agents would scan the table. Rounds are
 * parameters: PostgreSQL leaves out other months once, not for each row.
 */
const INSERT = insertStatement('insert-predictions', NO_WORDS);

/** For batches with a rationale or model: a separate statement keeps the common one small. */
const INSERT_WITH_WORDS = insertStatement('insert-predictions-with-words', {
  names: ', rationale, model',
  columns: ', o.rationale, o.model',
  arrays: ', $10::text[], $11::text[]',
  inserted: `, words as (
      insert into rationales (round_id, agent_id, rationale, model)
      select i.round_id, i.agent_id, o.rationale, o.model from offered o
      join inserted i on i.agent_id = o.agent_id
      where o.rationale is not null or o.model is not null
    )`,
});

/** One prediction an agent and round: the key of each month's table. */
const PREDICTION_KEY = /^predictions_\w+_pkey$/;

const FIRST_ROUND_SINCE = statement<[id: number]>({
  name: 'first-round-since',
  text: `select coalesce(${firstRoundSince('$1')}, 0)`,
});

/** The first round whose predictions may have a key that still counts; looked up once an hour. */
function firstRoundLookup(statements: Statements): (now: Date) => Promise<number> {
  let known = { hour: Number.NaN, round: 0 };
  return async (now) => {
    const hour = hourOf(now).getTime();
    if (known.hour === hour) return known.round;
    const since = new Date(hour - IDEMPOTENCY_WINDOW).toISOString();
    const [row] = await statements.rows(FIRST_ROUND_SINCE, [since]);
    known = { hour, round: row?.[0] ?? 0 };
    return known.round;
  };
}

type InsertedRow = [keyHash: string, id: number, agentId: number, agentName: string];

function insertStatement(name: string, words: typeof NO_WORDS) {
  return statement<InsertedRow>({
    name,
    text: `
    with offered as materialized (
      select o.place, a.id as agent_id, o.prediction, o.confidence, o.idempotency_key${words.columns}
      from unnest($1::text[], $3::text[], $4::smallint[], $5::text[]${words.arrays}) with ordinality
        as o (key_hash, prediction, confidence, idempotency_key${words.names}, place)
      cross join lateral (select id, mode, name_key, block_reason from agents where key_hash = o.key_hash offset 0) a
      where a.mode = 'compete' and a.name_key is not null and a.block_reason is null and (
        select p.id from predictions p
        where p.agent_id = a.id and p.idempotency_key = o.idempotency_key and p.submitted_at > $8
          and p.round_id between $9::int and $2::int limit 1) is null
        and (
          select e.agent_id from predictions e
          where e.round_id = $2::int and e.agent_id >= a.id order by e.agent_id limit 1) is distinct from a.id
    ), open as materialized (
      select id, choices from rounds where id = $2::int and status = 'active' and start_time <= $6 and end_time > $7
      for no key update
    ), inserted as (
      insert into predictions (round_id, agent_id, prediction, confidence, submitted_at, idempotency_key)
      select open.id, o.agent_id, o.prediction, o.confidence, $6, o.idempotency_key
      from offered o join open on open.choices ? o.prediction
      order by o.place
      returning id, round_id, agent_id, confidence
    ), counted as (
      update rounds r
      set total_entries = r.total_entries + i.entries, confidence_sum = r.confidence_sum + i.confidences
      from (select round_id, count(*) as entries, sum(confidence) as confidences from inserted group by round_id) i
      where r.id = i.round_id
    )${words.inserted}
    select a.key_hash, i.id, i.agent_id, a.name from inserted i
    cross join lateral (select key_hash, name from agents where id = i.agent_id offset 0) a`,
  });
}

interface InsertOptions {
  readonly now: Date;
  readonly lockMs: number;
  /** The first round whose predictions may have the keys; null without keys. */
  readonly firstRoundId: number | null;
}

async function insert(
  statements: Statements,
  batch: readonly OfferedPrediction[],
  inserting: InsertOptions,
): Promise<readonly (AcceptedPrediction | null)[]> {
  const accepted = new Map<string, AcceptedPrediction>();
  for (const [roundId, offers] of Map.groupBy(batch, (offered) => offered.roundId))
    for (const [keyHash, id, agentId, agentName] of await insertInto(statements, { roundId, offers }, inserting))
      accepted.set(`${roundId} ${keyHash}`, { id, agentId, agentName, submittedAt: inserting.now });
  return batch.map(({ roundId, keyHash }) => accepted.get(`${roundId} ${keyHash}`) ?? null);
}

async function insertInto(
  statements: Statements,
  { roundId, offers }: { readonly roundId: number; readonly offers: readonly OfferedPrediction[] },
  { now, lockMs, firstRoundId }: InsertOptions,
): Promise<readonly InsertedRow[]> {
  const at = now.getTime();
  const values = [
    arrayOf(offers.map(({ keyHash }) => keyHash)),
    roundId,
    arrayOf(offers.map(({ prediction }) => prediction)),
    arrayOf(offers.map(({ confidence }) => confidence)),
    arrayOf(offers.map(({ idempotencyKey }) => idempotencyKey)),
    ...[at, at + lockMs, at - IDEMPOTENCY_WINDOW].map((time) => new Date(time).toISOString()),
    firstRoundId ?? roundId,
  ];
  const hasWords = offers.some(({ rationale, model }) => rationale != null || model != null);
  const [insertion, given] = hasWords ? [INSERT_WITH_WORDS, [...values, ...wordsOf(offers)]] : [INSERT, values];
  const run = (): Promise<InsertedRow[]> =>
    statements
      .rows(insertion, given)
      .catch((error: unknown) => (isDuplicate(error, PREDICTION_KEY) ? run() : Promise.reject(error)));
  return run();
}

function wordsOf(batch: readonly OfferedPrediction[]): readonly string[] {
  return [batch.map(({ rationale }) => rationale ?? null), batch.map(({ model }) => model ?? null)].map(arrayOf);
}

/** PostgreSQL's array literal. Faster than pg's, which runs two regular expressions per value. */
function arrayOf(values: readonly (string | number | null)[]): string {
  return `{${values.map((value) => (typeof value === 'string' ? quotedItem(value) : (value ?? 'null'))).join(',')}}`;
}

function quotedItem(text: string): string {
  return `"${/["\\]/.test(text) ? text.replaceAll(/["\\]/g, String.raw`\$&`) : text}"`;
}
