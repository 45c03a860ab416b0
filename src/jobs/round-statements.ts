import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import type { Round } from '../entities/round.ts';
import type { RoundStatus, VoidReason } from '../rules/round-states.ts';
import type { TallyRow } from '../rules/crowd.ts';
import { inUnits, UNITS } from '../rules/payoffs.ts';
import { ANY_ASSET } from '../entities/tallies.ts';
import { eachWindow, signsOf, type WindowMoves } from './standings/window-moves.ts';
import type { HourVerdict, Market, SourceCandle } from '../market/market.ts';
import { returnPct } from '../rules/candle.ts';
import { rows } from '../reads/sql.ts';

/** Any fixed number: it names resolution among PostgreSQL's advisory locks. */
const RESOLUTION_LOCK = 48_602;

/** A round as it is once its row is locked, and what its decision builds on. */
interface LockedRound {
  readonly status: RoundStatus;
  readonly entries: number;
  readonly newestResolvedEnd: Date | null;
  readonly decidedAt: Date;
}

/** Waits until no resolution is under way, and lets none in before the transaction ends. */
export async function lockResolutions(transaction: SqlEntityManager): Promise<void> {
  await sql`select pg_advisory_xact_lock(${RESOLUTION_LOCK})`.execute(transaction.getKysely());
}

/**
 * Lets one resolution in at a time, since each builds on the totals that the one before left, and locks the round.
 * `decidedAt` is `now`, or later where `now` was read before the resolution that comes first: the rounds' times show
 * the order in which streaks and totals followed. Null when there is no such round.
 */
export async function lockRound(
  transaction: SqlEntityManager,
  roundId: number,
  now: Date,
): Promise<LockedRound | null> {
  await lockResolutions(transaction);
  const [found] = await rows<LockedRound>(transaction)`
    select r.status, r.total_entries as entries, p.newest_resolved_end as "newestResolvedEnd",
      greatest(${now}::timestamptz, p.boards_updated_at + interval '1 millisecond') as "decidedAt"
    from rounds r cross join platform p where r.id = ${roundId} for update of r`;
  return found ?? null;
}

/**
 * Notes with a round that a try did not decide it. Whoever holds the row is about to decide it, or to note a try: it
 * is not waited for.
 */
export async function noteTry(
  em: SqlEntityManager,
  roundId: number,
  tried: { readonly now: Date; readonly since: Date; readonly why: string; readonly tryAfter: Date },
): Promise<void> {
  await sql`
    update rounds set attempts = attempts + 1, trying_since = ${tried.since}, last_tried_at = ${tried.now},
      last_problem = ${tried.why}, try_after = ${tried.tryAfter}
    where id = (select id from rounds where id = ${roundId} and status = 'resolving' for update skip locked)`.execute(
    em.getKysely(),
  );
}

/** Ends a round; nothing is tried of it any more. */
export async function decideRound(
  transaction: SqlEntityManager,
  roundId: number,
  decision: {
    status: 'resolved' | 'void';
    outcome: string | null;
    value: number | null;
    /** The mean of the field's Brier terms; unset or null where there is none. */
    difficulty?: number | null;
    voidReason: VoidReason | null;
    voidNote?: string | null;
    now: Date;
  },
): Promise<void> {
  const difficulty = decision.difficulty == null ? null : inUnits(decision.difficulty, UNITS.difficulty);
  await sql`
    update rounds set status = ${decision.status}, outcome = ${decision.outcome}, resolution_value = ${decision.value},
      void_reason = ${decision.voidReason}, void_note = ${decision.voidNote ?? null}, decided_at = ${decision.now},
      try_after = null, difficulty_millionths = ${difficulty}
    where id = ${roundId}`.execute(transaction.getKysely());
}

/** Moves the round's predictions to the platform's totals; `resolvedAt` is null for a void round, which moves no board. */
export async function addToTotals(transaction: SqlEntityManager, round: Round, resolvedAt: Date | null): Promise<void> {
  const resolved = resolvedAt === null ? 0 : 1;
  const newestEnd = resolvedAt === null ? null : round.endTime;
  await sql`
    update platform p
    set decided_predictions = p.decided_predictions + r.total_entries,
      decided_confidence_sum = p.decided_confidence_sum + r.confidence_sum,
      resolved_rounds = p.resolved_rounds + ${resolved},
      newest_resolved_end = greatest(p.newest_resolved_end, ${newestEnd}::timestamptz),
      boards_updated_at = coalesce(${resolvedAt}::timestamptz, p.boards_updated_at)
    from rounds r where p.id = 1 and r.id = ${round.id}`.execute(transaction.getKysely());
}

/** Counts what a round that is being decided was answered: the crowd's figures, also of a void one; returns the counts. */
export async function tallyRound(transaction: SqlEntityManager, roundId: number): Promise<readonly TallyRow[]> {
  return rows<TallyRow>(transaction)`
    insert into round_tallies (round_id, prediction, confidence, n)
    select round_id, prediction, confidence, count(*) from predictions where round_id = ${roundId}
    group by round_id, prediction, confidence
    returning prediction as answer, confidence, n`;
}

/** The same of a round whose predictions are counted already. */
export async function storeTally(
  transaction: SqlEntityManager,
  roundId: number,
  tally: readonly TallyRow[],
): Promise<void> {
  await sql`
    insert into round_tallies (round_id, prediction, confidence, n)
    select ${roundId}, answer, confidence, n
    from jsonb_to_recordset(${JSON.stringify(tally)}::jsonb) as t(answer text, confidence smallint, n int)`.execute(
    transaction.getKysely(),
  );
}

/**
 * Moves the whole field's tallies: those of the round enter the windows that it lies in, and those of rounds that a
 * newer end pushes out of a window leave it. The round has its tallies and its outcome already.
 */
export async function updateFieldTallies(transaction: SqlEntityManager, moves: WindowMoves): Promise<void> {
  await sql`
    with signs as (${signsOf(moves)}),
    change as (
      select a.asset, r.question_type, jsonb_array_length(r.choices) as choice_count, t.confidence,
        t.prediction = r.outcome as is_correct, ${eachWindow((period) => `sum(g.${period} * t.n) as ${period}`)}
      from signs g
      join rounds r on r.id = g.round_id
      join round_tallies t on t.round_id = r.id
      cross join lateral (
        select ${ANY_ASSET} as asset union all select asset from round_assets where round_id = r.id
      ) a
      group by 1, 2, 3, 4, 5
    )
    insert into field_tallies (asset, question_type, choice_count, confidence, is_correct, ${eachWindow((period) => `${period}_n`)})
    select asset, question_type, choice_count, confidence, is_correct,
      ${eachWindow((period) => `coalesce(f.${period}_n, 0) + c.${period}`)}
    from change c left join field_tallies f using (asset, question_type, choice_count, confidence, is_correct)
    on conflict (asset, question_type, choice_count, confidence, is_correct)
      do update set ${eachWindow((period) => `${period}_n = excluded.${period}_n`)}`.execute(transaction.getKysely());
}

/** Keeps what every source showed, and what they agreed on, as the round's evidence. */
export async function storeEvidence(
  transaction: SqlEntityManager,
  roundId: number,
  { evidence, candles }: HourVerdict,
): Promise<void> {
  await sql`
    insert into candles (round_id, source, asset, hour_start, open, high, low, close, volume,
      body_hash, source_time, fetched_at, counted, left_out)
    select ${roundId}::int, c.source, c.asset, c."hourStart", c.open, c.high, c.low, c.close, c.volume,
      c."bodyHash", c."sourceTime", c."fetchedAt", c.counted, c."leftOut"
    from jsonb_to_recordset(${JSON.stringify(evidence.map(storable))}::jsonb) as c(
      source text, asset text, "hourStart" timestamptz, open text, high text, low text, close text, volume text,
      "bodyHash" text, "sourceTime" timestamptz, "fetchedAt" timestamptz, counted boolean, "leftOut" text)`.execute(
    transaction.getKysely(),
  );
  await sql`
    insert into agreed_candles (round_id, asset, hour_start, open, high, low, close, volume)
    select ${roundId}::int, c.asset, c."hourStart", c.open, c.high, c.low, c.close, c.volume
    from jsonb_to_recordset(${JSON.stringify(candles)}::jsonb) as c(
      asset text, "hourStart" timestamptz, open numeric, high numeric, low numeric, close numeric, volume numeric)`.execute(
    transaction.getKysely(),
  );
}

/** A round is stored an hour before it is decided: where the market has changed meanwhile, it carries the one that decided. */
export async function setRoundSource(
  transaction: SqlEntityManager,
  round: Round,
  { source, providerIds }: Pick<Market, 'source' | 'providerIds'>,
): Promise<void> {
  if (round.source === source) return;
  await sql`update rounds set source = ${source} where id = ${round.id}`.execute(transaction.getKysely());
  await sql`
    update round_assets set provider_id = ${JSON.stringify(providerIds)}::jsonb ->> asset
    where round_id = ${round.id}`.execute(transaction.getKysely());
}

/** Writes the prices that decided the round beside its assets. */
export async function storePrices(
  transaction: SqlEntityManager,
  round: Round,
  candles: HourVerdict['candles'],
): Promise<void> {
  const ofRound = candles.filter(({ hourStart }) => hourStart.getTime() === round.startTime.getTime());
  const prices = ofRound.map((candle) => ({ ...candle, returnPct: returnPct(candle) }));
  await sql`
    update round_assets a
    set open = c.open, high = c.high, low = c.low, close = c.close, return_pct = c."returnPct"
    from jsonb_to_recordset(${JSON.stringify(prices)}::jsonb) as c(
      asset text, open numeric, high numeric, low numeric, close numeric, "returnPct" numeric)
    where a.round_id = ${round.id} and a.asset = c.asset`.execute(transaction.getKysely());
}

const FIGURES = ['open', 'high', 'low', 'close', 'volume'] as const;
const FIGURE = /^-?\d{1,100}(?:\.\d{1,100})?$/;
const HASH = /^[0-9a-f]{64}$/;
const MAX_CHARACTERS = 500;
/** The years that have four digits: PostgreSQL and JavaScript write the others differently. */
const [FIRST, LAST] = [Date.UTC(1970), Date.UTC(10_000)];

/**
 * The row as the table takes it, whatever a source has brought into it: evidence never stops a decision. A candle that
 * does not count loses figures that are none, and its sentence says so; one that counts has been checked figure by figure.
 */
export function storable(row: SourceCandle): SourceCandle {
  const { bodyHash, sourceTime, counted, leftOut } = row;
  const sound = {
    ...row,
    bodyHash: bodyHash !== null && HASH.test(bodyHash) ? bodyHash : null,
    sourceTime: sourceTime !== null && isWithinYears(sourceTime) ? sourceTime : null,
  };
  if (counted) return { ...sound, leftOut: null };
  const sentence = plainText(leftOut ?? 'It does not count.');
  if (FIGURES.every((name) => row[name] === null || FIGURE.test(row[name]))) return { ...sound, leftOut: sentence };
  const none = { open: null, high: null, low: null, close: null, volume: null };
  return { ...sound, ...none, leftOut: `${sentence} Its figures cannot be stored.` };
}

function isWithinYears(time: Date): boolean {
  return time.getTime() >= FIRST && time.getTime() < LAST;
}

/** Without what PostgreSQL refuses in a text (NUL, half a character) or what a reader's terminal would act on. */
function plainText(text: string): string {
  return text
    .toWellFormed()
    .replaceAll(/\p{Cc}+/gu, ' ')
    .slice(0, MAX_CHARACTERS)
    .toWellFormed();
}
