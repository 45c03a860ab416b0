import { byAlias } from './by-alias.ts';
import { candlesOf } from './candles.ts';
import { type RowOf, rowType } from './plan.ts';

const { m } = byAlias({ m: 'amendments' });

const COLUMNS = {
  ...m.instant('amended_at'),
  ...m.plain('reason', 'from_evidence', 'outcome', 'void_reason'),
  ...m.plain('previous_outcome', 'previous_void_reason', 'previous_void_note'),
};

/** A later decision about a round, as in the schema. */
export type AmendmentRow = RowOf<typeof COLUMNS>;

/** A row `m` of `amendments`. */
export const AMENDMENT = rowType({
  columns: COLUMNS,
  nested: candlesOf(m('round_id'), m('id')),
});
