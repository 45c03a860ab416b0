import { sql } from 'kysely';

import type { VoidReason } from '../../rules/round-states.ts';
import { AGREED_CANDLE, EVIDENCE } from './candles.ts';
import { instant, plain, type RowOf, rowsOf, rowType } from './plan.ts';

const COLUMNS = {
  amendedAt: instant(sql`m.amended_at`),
  reason: plain<string>(sql`m.reason`),
  fromEvidence: plain<boolean>(sql`m.from_evidence`),
  outcome: plain<string | null>(sql`m.outcome`),
  voidReason: plain<VoidReason | null>(sql`m.void_reason`),
  previousOutcome: plain<string | null>(sql`m.previous_outcome`),
  previousVoidReason: plain<VoidReason | null>(sql`m.previous_void_reason`),
  previousVoidNote: plain<string | null>(sql`m.previous_void_note`),
};

/** A second decision about a round as the schema shows it. */
export type AmendmentRow = RowOf<typeof COLUMNS>;

/** A row `m` of `amendments`. */
export const AMENDMENT = rowType({
  columns: COLUMNS,
  nested: {
    evidence: rowsOf(
      EVIDENCE,
      sql`candles t where t.round_id = m.round_id and t.amendment_id = m.id order by t.hour_start, t.asset, t.source`,
    ),
    agreedCandles: rowsOf(
      AGREED_CANDLE,
      sql`agreed_candles t where t.round_id = m.round_id and t.amendment_id = m.id order by t.hour_start, t.asset`,
    ),
  },
});
