import { FirstSchema } from './2026-11-21-first-schema.ts';
import { Admin } from './2026-11-21-admin.ts';
import { MarketEvidence } from './2026-11-21-market-evidence.ts';
import { WaitingRounds } from './2026-11-22-waiting-rounds.ts';
import { CountedRanks } from './2026-11-22-counted-ranks.ts';
import { ScoresByAgent } from './2026-11-22-scores-by-agent.ts';
import { References } from './2026-11-22-references.ts';
import { FairScores } from './2026-11-22-fair-scores.ts';
import { KeptAfterResolution } from './2026-11-22-kept-after-resolution.ts';
import { FairSums } from './2026-11-22-fair-sums.ts';
import { OrderedBoards } from './2026-11-22-ordered-boards.ts';
import { NameCounts } from './2026-11-22-name-counts.ts';
import { BoardCandidatesTable } from './2026-11-22-board-candidates.ts';
import { PredictionKeys } from './2026-11-22-prediction-keys.ts';
import { ScoresByPlace } from './2026-11-22-scores-by-place.ts';
import { WideNumbers } from './2026-11-23-wide-numbers.ts';
import { HashesOfKeys } from './2026-11-23-hashes-of-keys.ts';
import { RemovedAgents } from './2026-11-23-removed-agents.ts';

/** Every migration, in order. A landed one is never changed: add another. */
export const MIGRATIONS = [
  { name: '2026-11-21-first-schema', class: FirstSchema },
  { name: '2026-11-21-market-evidence', class: MarketEvidence },
  { name: '2026-11-21-admin', class: Admin },
  { name: '2026-11-22-waiting-rounds', class: WaitingRounds },
  { name: '2026-11-22-counted-ranks', class: CountedRanks },
  { name: '2026-11-22-scores-by-agent', class: ScoresByAgent },
  { name: '2026-11-22-references', class: References },
  { name: '2026-11-22-fair-scores', class: FairScores },
  { name: '2026-11-22-kept-after-resolution', class: KeptAfterResolution },
  { name: '2026-11-22-fair-sums', class: FairSums },
  { name: '2026-11-22-ordered-boards', class: OrderedBoards },
  { name: '2026-11-22-name-counts', class: NameCounts },
  { name: '2026-11-22-board-candidates', class: BoardCandidatesTable },
  { name: '2026-11-22-prediction-keys', class: PredictionKeys },
  { name: '2026-11-22-scores-by-place', class: ScoresByPlace },
  { name: '2026-11-23-wide-numbers', class: WideNumbers },
  { name: '2026-11-23-hashes-of-keys', class: HashesOfKeys },
  { name: '2026-11-23-removed-agents', class: RemovedAgents },
];
