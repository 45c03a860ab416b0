import { WideNumbers } from './2026-11-23-wide-numbers.ts';
import { HashesOfKeys } from './2026-11-23-hashes-of-keys.ts';
import { RemovedAgents } from './2026-11-23-removed-agents.ts';
import { OnlyWhatIsRead } from './2026-11-23-only-what-is-read.ts';
import { RulesVersions } from './2026-11-23-rules-versions.ts';
import { FirstSchema } from './first-schema.ts';

/**
 * Every migration, in order. A landed one is never changed: add another. The first has the name of the last of version
 * 0.3.0, so that a database of that version has it.
 */
export const MIGRATIONS = [
  { name: '2026-11-22-scores-by-place', class: FirstSchema },
  { name: '2026-11-23-wide-numbers', class: WideNumbers },
  { name: '2026-11-23-hashes-of-keys', class: HashesOfKeys },
  { name: '2026-11-23-removed-agents', class: RemovedAgents },
  { name: '2026-11-23-only-what-is-read', class: OnlyWhatIsRead },
  { name: '2026-11-23-rules-versions', class: RulesVersions },
];

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
