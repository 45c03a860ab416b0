import type { Client } from 'pg';

import { StartError } from '../rules/errors.ts';
import type { BackedUpTable } from './manifest.ts';

/**
 * Throws a `StartError` unless the standings match the copied scores and the archived rounds, whose scores were dropped.
 * The service only adds to them, so that an error would stay.
 */
export async function refuseContradiction(
  client: Client,
  tables: readonly Pick<BackedUpTable, 'name' | 'rows' | 'columns'>[],
): Promise<void> {
  const scores = tables.find(({ name }) => name === 'scores')?.rows ?? 0;
  const isArchived = tables.some(({ name, columns }) => name === 'rounds' && columns.includes('archived'))
    ? 'archived'
    : 'false';
  const hasAmendments = tables.some(({ name }) => name === 'corrected_scores');
  // Scores of rounds that were made void are not in force.
  const voided = hasAmendments
    ? `(select count(*) from corrected_scores join rounds on id = round_id where not counted and not ${isArchived})`
    : '0';
  const dropped = `(select coalesce(sum(total_entries), 0) from rounds where ${isArchived} and status = 'resolved')`;
  const { rows } = await client.query<{ counted: string; voided: string }>(
    `select coalesce(sum(alltime_competitions), 0) - ${dropped} as counted, ${voided} as voided from standings`,
  );
  const [counted, expected] = [Number(rows[0]?.counted), scores - Number(rows[0]?.voided)];
  if (counted === expected) return;
  throw new StartError(
    `The backup must be consistent, but its standings count ${counted} scores where it has ${expected}: ` +
      'use another backup, or begin again.',
  );
}
