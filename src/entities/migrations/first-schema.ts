import { Migration } from '@mikro-orm/migrations';

import { AGENTS } from './first-schema/agents.ts';
import { COUNTS } from './first-schema/counts.ts';
import { PLATFORM } from './first-schema/platform.ts';
import { PREDICTIONS } from './first-schema/predictions.ts';
import { ROUNDS } from './first-schema/rounds.ts';
import { STANDINGS } from './first-schema/standings.ts';

/** Every table as version 0.3.0 has it. */
class FirstSchema extends Migration {
  override up(): void {
    for (const part of [PLATFORM, AGENTS, ROUNDS, PREDICTIONS, STANDINGS, COUNTS]) this.addSql(part);
  }
}

/** It has the name of the last migration of version 0.3.0, so that a database of that version has it. */
export const FIRST_SCHEMA = { name: '2026-11-22-scores-by-place', class: FirstSchema };

/** What else has made the tables of a database of version 0.3.0. */
export const BEFORE_FIRST_SCHEMA: readonly string[] = [
  '2026-11-21-first-schema',
  '2026-11-21-market-evidence',
  '2026-11-21-admin',
  '2026-11-22-waiting-rounds',
  '2026-11-22-counted-ranks',
  '2026-11-22-scores-by-agent',
  '2026-11-22-references',
  '2026-11-22-fair-scores',
  '2026-11-22-kept-after-resolution',
  '2026-11-22-fair-sums',
  '2026-11-22-ordered-boards',
  '2026-11-22-name-counts',
  '2026-11-22-board-candidates',
  '2026-11-22-prediction-keys',
];
