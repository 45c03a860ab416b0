import type { Clock } from '../clock.ts';
import { DURABLE_SO_FAR, type PoolStatements, statement } from '../database/statements.ts';
import { withDeadline } from '../deadline.ts';
import { batcher } from '../batching.ts';
import { ANSWER_MS } from '../limits.ts';
import { IDEMPOTENCY_WINDOW } from '../rules/predictions.ts';

/** What a caller offers. Its confidence and its idempotency key are within bounds, and its prediction is some round's. */
export interface OfferedPrediction {
  readonly roundId: number;
  /** Of the key that the caller sent; it may hold or not. */
  readonly keyHash: string;
  readonly prediction: string;
  readonly confidence: number;
  readonly idempotencyKey: string | null;
  /** What it says beside, within bounds. */
  readonly rationale?: string | null;
  readonly model?: string | null;
}

/** An accepted prediction: it is committed, and no crash can lose it. */
export interface AcceptedPrediction {
  readonly id: number;
  readonly agentId: number;
  readonly agentName: string;
  readonly submittedAt: Date;
}

/** Puts predictions into the database. Concurrent ones share one statement; each is answered when its commit is on disk. */
export interface PredictionWriter {
  /**
   * Null when nothing was written: nobody who may predict holds the key, the round takes none (any more) or not this one,
   * or the agent has one there or under the same idempotency key. A rejection means that nobody knows: the prediction may
   * be committed all the same, unless it was the caller's deadline that passed while it waited for its turn.
   */
  readonly write: (offered: OfferedPrediction) => Promise<AcceptedPrediction | null>;
  /** Resolves when nothing is in flight. */
  readonly settled: () => Promise<void>;
}

const MAX_IN_A_STATEMENT = 500;

/** One, so that ids grow with the times of submission. Two would only wait for each other at the round's row. */
const STATEMENTS_IN_FLIGHT = 1;

const FLUSH = statement<[string]>({ name: 'flush', text: `select ${DURABLE_SO_FAR}` });

/**
 * What arrives while a statement is in flight goes into the next. Of several with one key the first is written first.
 * A statement does not wait for the disk, so that the next can begin; a second one right behind it does, and the answers
 * wait for that. On another connection it could reach a server that has crashed in between, without these rows.
 */
export function predictionWriter(statements: PoolStatements, clock: Clock, lockMs: number): PredictionWriter {
  const { add, settled } = batcher({
    inFlight: STATEMENTS_IN_FLIGHT,
    // A statement costs far more than one more prediction in it.
    delayToNextTick: true,
    max: MAX_IN_A_STATEMENT,
    exclusiveKey: ({ keyHash }: OfferedPrediction) => keyHash,
    run: (batch, releaseSlot) =>
      withDeadline(ANSWER_MS, () => insert(statements, batch, { now: clock.now(), lockMs, releaseSlot })),
  });
  return { write: add, settled };
}

const NO_WORDS = { names: '', columns: '', arrays: '', inserted: '' };

/**
 * Inserts a batch of offers. The key is that of an agent that competes, still is its own, and is not blocked; the deadline and the
 * round's status are judged on a row that is locked: closing the round waits for the statement, and what comes after the
 * closing finds a closed round. Batches of all processes take turns at that row, so ids grow in the order of commits.
 * Its commit does not wait for the disk, and neither does the row's lock.
 * An id is drawn for what is new alone: a repeat is left out before it is inserted, and only one that another process stores
 * in the same moment meets the key. It is looked for in the order of the primary key, which the planner would leave for an
 * index of rounds while the table is nearly empty, and the plan is kept.
 * `offset 0` makes the planner look agents up one by one, by index: joined, a few agents at the time of planning would be
 * read whole, and the plan is kept.
 */
const INSERT = insertStatement('insert-predictions', NO_WORDS);

/** The same of a batch in which some say something beside: kept apart, so that the others' statement has nothing of it. */
const INSERT_WITH_WORDS = insertStatement('insert-predictions-with-words', {
  names: ', rationale, model',
  columns: ', o.rationale, o.model',
  arrays: ', $9::text[], $10::text[]',
  inserted: `, said as (
      insert into rationales (round_id, agent_id, rationale, model)
      select o.round_id, o.agent_id, o.rationale, o.model from offered o
      join inserted i on i.round_id = o.round_id and i.agent_id = o.agent_id
      where o.rationale is not null or o.model is not null
    )`,
});

function insertStatement(name: string, words: typeof NO_WORDS) {
  return statement<[keyHash: string, id: number, agentId: number, agentName: string]>({
    name,
    text: insertText(words),
  });
}

function insertText(words: typeof NO_WORDS): string {
  return `
    with offered as materialized (
      select o.place, o.round_id, a.id as agent_id, o.prediction, o.confidence, o.idempotency_key${words.columns}
      from unnest($1::text[], $2::int[], $3::text[], $4::smallint[], $5::text[]${words.arrays}) with ordinality
        as o (key_hash, round_id, prediction, confidence, idempotency_key${words.names}, place)
      cross join lateral (select id, mode, name_key, block_reason from agents where key_hash = o.key_hash offset 0) a
      where a.mode = 'compete' and a.name_key is not null and a.block_reason is null and (
        select p.id from predictions p
        where p.agent_id = a.id and p.idempotency_key = o.idempotency_key and p.submitted_at > $8 limit 1) is null
        and (
          select (e.round_id, e.agent_id) = (o.round_id, a.id) from predictions e
          where (e.round_id, e.agent_id) >= (o.round_id, a.id) order by e.round_id, e.agent_id limit 1) is not true
    ), open as materialized (
      select id, choices from rounds where status = 'active' and start_time <= $6 and end_time > $7
        and (select set_config('synchronous_commit', 'off', true)) = 'off'
      for no key update
    ), inserted as (
      insert into predictions (round_id, agent_id, prediction, confidence, submitted_at, idempotency_key)
      select o.round_id, o.agent_id, o.prediction, o.confidence, $6, o.idempotency_key
      from offered o join open on open.id = o.round_id and open.choices ? o.prediction
      order by o.place
      on conflict (round_id, agent_id) do nothing
      returning id, round_id, agent_id, confidence
    ), counted as (
      update rounds r
      set total_entries = r.total_entries + i.entries, confidence_sum = r.confidence_sum + i.confidences
      from (select round_id, count(*) as entries, sum(confidence) as confidences from inserted group by round_id) i
      where r.id = i.round_id
    )${words.inserted}
    select a.key_hash, i.id, i.agent_id, a.name from inserted i
    cross join lateral (select key_hash, name from agents where id = i.agent_id offset 0) a`;
}

async function insert(
  statements: PoolStatements,
  batch: readonly OfferedPrediction[],
  { now, lockMs, releaseSlot }: { readonly now: Date; readonly lockMs: number; readonly releaseSlot: () => void },
): Promise<readonly (AcceptedPrediction | null)[]> {
  const at = now.getTime();
  const values = [
    arrayOf(batch.map(({ keyHash }) => keyHash)),
    arrayOf(batch.map(({ roundId }) => roundId)),
    arrayOf(batch.map(({ prediction }) => prediction)),
    arrayOf(batch.map(({ confidence }) => confidence)),
    arrayOf(batch.map(({ idempotencyKey }) => idempotencyKey)),
    ...[at, at + lockMs, at - IDEMPOTENCY_WINDOW].map((time) => new Date(time).toISOString()),
  ];
  const insertion = batch.some(hasWords)
    ? ([INSERT_WITH_WORDS, [...values, ...wordsOf(batch)]] as const)
    : ([INSERT, values] as const);
  const rows = await statements.inSuccession(insertion, [FLUSH, []], releaseSlot);
  const accepted = new Map(
    rows.map(([keyHash, id, agentId, agentName]) => [keyHash, { id, agentId, agentName, submittedAt: now }]),
  );
  return batch.map(({ keyHash }) => accepted.get(keyHash) ?? null);
}

function hasWords({ rationale, model }: OfferedPrediction): boolean {
  return rationale != null || model != null;
}

function wordsOf(batch: readonly OfferedPrediction[]): readonly string[] {
  return [batch.map(({ rationale }) => rationale ?? null), batch.map(({ model }) => model ?? null)].map(arrayOf);
}

/** The array as PostgreSQL reads it. pg works out the same, of which each value takes two regular expressions. */
function arrayOf(values: readonly (string | number | null)[]): string {
  return `{${values.map((value) => (typeof value === 'string' ? quotedItem(value) : (value ?? 'null'))).join(',')}}`;
}

function quotedItem(text: string): string {
  return `"${/["\\]/.test(text) ? text.replaceAll(/["\\]/g, String.raw`\$&`) : text}"`;
}
