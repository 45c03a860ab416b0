import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import type { Market } from '../market/market.ts';
import { addHours } from '../rules/hours.ts';
import type { RoundDraft } from './round-drafts.ts';

/** Stores a round as `upcoming` with its assets; null when its hour has one already. */
export async function storeRound(
  transaction: SqlEntityManager,
  { startTime, question }: RoundDraft,
  market: Market,
): Promise<number | null> {
  const { params } = question;
  const { rows } = await sql<{ id: number }>`
    insert into rounds (start_time, end_time, status, question_type, prediction_format, question, choices,
      subject, operator, threshold_pct, n, source, total_entries, confidence_sum)
    values (${startTime}, ${addHours(startTime, 1)}, 'upcoming', ${question.questionType}, ${question.predictionFormat},
      ${question.question}, ${JSON.stringify(question.choices)}::jsonb, ${params.subject}, ${params.operator},
      ${params.thresholdPct}, ${params.n}, ${market.source}, 0, 0)
    on conflict (start_time) do nothing returning id`.execute(transaction.getKysely());
  const id = rows[0]?.id;
  if (id === undefined) return null;
  const assets = question.assets.map((asset, position) => ({ asset, position, providerId: market.providerIds[asset] }));
  await sql`
    insert into round_assets (round_id, asset, position, provider_id)
    select ${id}::int, a.asset, a.position, a."providerId"
    from jsonb_to_recordset(${JSON.stringify(assets)}::jsonb) as a(asset text, position int, "providerId" text)`.execute(
    transaction.getKysely(),
  );
  return id;
}
