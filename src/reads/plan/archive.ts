import { sql } from 'kysely';

import type { ArchivedStanding } from '../../entities/archive.ts';
import type { ArchiveKind } from '../../rules/windows.ts';
import { instant, plain, type RowOf, rowType } from './plan.ts';

const COLUMNS = {
  period: plain<string>(sql`c.period`),
  kind: plain<ArchiveKind>(sql`c.kind`),
  startTime: instant(sql`c.start_time`),
  endTime: instant(sql`c.end_time`),
  rounds: plain<number>(sql`c.rounds`),
  agents: plain<number>(sql`c.agents`),
  frozenAt: instant(sql`c.frozen_at`),
  rankings: plain<readonly ArchivedStanding[]>(sql`c.rankings`),
};

/** The frozen board of a period. */
export type ArchiveRow = RowOf<typeof COLUMNS>;

/** A row `c` of `archives`. */
export const ARCHIVE = rowType({ columns: COLUMNS });
