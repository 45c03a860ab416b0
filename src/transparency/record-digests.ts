import { createHash } from 'node:crypto';

import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';

import type { DB } from '../entities/tables.ts';
import { byAlias } from '../reads/plan/by-alias.ts';
import { SCORES } from '../reads/scores.ts';
import { rows } from '../reads/sql.ts';
import { appendRecord, type LogDeps } from './append.ts';
import { forecastDigest, type LoggedForecast, recordLeaf } from './leaves.ts';
import { HASH_BYTES } from './merkle.ts';
import { leafPages } from './prediction-leaves.ts';

/* The digests in leaves: hexadecimal SHA-256 of lines, each with a line feed. Fractions are rounded to whole billionths. */

/** The digest of lines in the order of their places; null without any. `lines` selects both. */
async function digestOfLines(em: SqlEntityManager, lines: RawBuilder<unknown>): Promise<string | null> {
  const [found] = await rows<{ digest: string | null }>(em)`
    select encode(sha256(convert_to(string_agg(line, chr(10) order by place) || chr(10), 'UTF8')), 'hex') as digest
    from (${lines}) l(place, line)`;
  return found?.digest ?? null;
}

interface Decision {
  readonly roundId: number;
  readonly at: Date;
  /** The amendment that stored the candles; 0, the default, for the first decision. */
  readonly amendmentId?: number;
}

/** Appends a decision, whose rows are written; returns the checkpoint with it. */
export async function appendDecision(
  transaction: SqlEntityManager,
  deps: LogDeps,
  { roundId, at, amendmentId = 0 }: Decision,
): Promise<string> {
  const round = transaction.getKysely<DB>().selectFrom('rounds').where('id', '=', roundId);
  const decided = await round.select(['status', 'outcome', 'void_reason']).executeTakeFirstOrThrow();
  const isVoid = decided.status === 'void';
  const isFirst = amendmentId === 0;
  const digests = {
    evidence: await digestOfLines(transaction, candleLines(roundId, amendmentId)),
    // Corrections come with amendments; the join with them takes time in a large round.
    scores: isVoid
      ? null
      : await digestOfLines(transaction, scoreLines(roundId, isFirst ? sql.table('scores') : SCORES)),
    forecasts: isVoid ? null : await digestOfLines(transaction, forecastLines(roundId, at)),
  };
  const values = { round: roundId, ...decided, ...digests };
  const leaf = isFirst
    ? recordLeaf('decided', { ...values, decided_at: at.getTime() })
    : recordLeaf('amended', { ...values, amended_at: at.getTime() });
  return appendRecord(transaction, deps, { kind: isFirst ? 'decided' : 'amended', roundId, leaf, at });
}

const { c, s, f } = byAlias({ c: 'candles', s: 'scores', f: 'forecast_scores' });

/** The stored figures of all sources. */
function candleLines(roundId: number, amendmentId: number): RawBuilder<unknown> {
  return sql`select row_number() over (order by ${c('asset')} collate "C", ${c('source')} collate "C", ${c('hour_start')}),
      concat_ws(' ', ${c('asset')}, ${c('source')}, (date_part('epoch', ${c('hour_start')}) * 1000)::bigint,
        coalesce(${c('open')}, '-'), coalesce(${c('high')}, '-'), coalesce(${c('low')}, '-'), coalesce(${c('close')}, '-'),
        coalesce(${c('volume')}, '-'), coalesce(${c('body_hash')}, '-'), ${c('counted')}::int)
    from candles c where ${c('round_id')} = ${roundId} and ${c('amendment_id')} = ${amendmentId}`;
}

/** Arrays of integers; an absent one is NULL. No streak bonuses: an amendment of another round changes them. */
function scoreLines(roundId: number, scores: RawBuilder<unknown>): RawBuilder<unknown> {
  return sql`select ${s('place')}, array[${s('place')}, ${s('agent_id')}, ${s('is_correct')}::int, ${s('score')},
      ${s('arena_points')}, ${s('edge_millionths')}, ${s('contribution_billionths')}, ${s('peer_millionths')},
      ${s('arena_edge_millionths')}, ${s('standing_edge_millionths')}]::text
    from ${scores} s where ${s('round_id')} = ${roundId}`;
}

function forecastLines(roundId: number, decidedAt: Date): RawBuilder<unknown> {
  return sql`select ${f('minute')}, concat_ws(' ', ${f('minute')}, floor(${f('brier')} * 1000000000 + 0.5)::bigint)
    from forecast_scores f where ${f('round_id')} = ${roundId} and ${f('decided_at')} = ${decidedAt}::timestamptz`;
}

/** Appends a frozen board: its rows' figures, in cents, ten-thousandths (Brier) and millionths (edge) as whole numbers. */
export async function appendFrozen(
  transaction: SqlEntityManager,
  deps: LogDeps,
  { period, at }: { readonly period: string; readonly at: Date },
): Promise<void> {
  const board = await digestOfLines(
    transaction,
    sql`select place, concat_ws(' ', t ->> 'rank', t ->> 'agentId', t ->> 'points', t ->> 'arenaPoints',
        ((t ->> 'pnlUsd')::numeric * 100)::bigint, t ->> 'wins', t ->> 'competitions', t ->> 'bestStreak',
        ((t ->> 'brierSum')::numeric * 10000)::bigint, t ->> 'edgeN', ((t ->> 'edgeSum')::numeric * 1000000)::bigint)
      from archives, jsonb_array_elements(rankings) with ordinality r(t, place) where period = ${period}`,
  );
  const leaf = recordLeaf('frozen', { period, frozen_at: at.getTime(), board });
  await appendRecord(transaction, deps, { kind: 'frozen', period, leaf, at });
}

interface SealedForecast extends LoggedForecast {
  readonly roundId: number;
  readonly minute: number;
  readonly recordedAt: Date;
  readonly entries: number;
}

/** The leaf of a recorded forecast. The salt hides the forecast, and `picks` (`picksDigest`), until it is published. */
export function forecastLeaf(
  forecast: SealedForecast,
  sealed: { readonly salt: string; readonly picks: string | null },
) {
  const { roundId, minute, recordedAt, entries } = forecast;
  const times = { round: roundId, minute, recorded_at: recordedAt.getTime() };
  const digest = forecastDigest(forecast, sealed.salt);
  return recordLeaf('forecast', { ...times, entries, forecast: digest, picks: sealed.picks });
}

/** The digest of the salt, a line feed and the leaf hashes of a round's first own predictions in the order of their ids. */
export async function picksDigest(
  em: SqlEntityManager,
  { roundId, entries, salt }: { readonly roundId: number; readonly entries: number; readonly salt: string },
): Promise<string> {
  const digest = createHash('sha256').update(`${salt}\n`);
  let left = entries * HASH_BYTES;
  for await (const hashes of leafPages(em, roundId, { withStanding: false })) {
    digest.update(hashes.subarray(0, left));
    left -= hashes.length;
    if (left <= 0) break;
  }
  return digest.digest('hex');
}
