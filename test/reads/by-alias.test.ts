import { expect, test } from '@jest/globals';

import { byAlias } from '../../src/reads/plan/by-alias.ts';
import type { RowOf } from '../../src/reads/plan/plan.ts';

test('columns are read under their names in GraphQL, with their types; the compiler refuses others', () => {
  const { r, s } = byAlias({ r: 'rounds', s: 'scores' }, 's');
  const columns = { ...r.plain('total_entries'), ...r.instant('decided_at'), ...s.decimal('pnl_usd') };
  const found: RowOf<typeof columns> = { totalEntries: 3, decidedAt: null, pnlUsd: null };
  expect(Object.keys(columns)).toEqual(Object.keys(found));
  // @ts-expect-error No such column.
  expect(r('entries')).toBeDefined();
  // @ts-expect-error JSON has no instants.
  expect(r.plain('start_time')).toBeDefined();
  // @ts-expect-error It is no instant.
  expect(r.instant('status')).toBeDefined();
});
