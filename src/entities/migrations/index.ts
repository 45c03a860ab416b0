import { WideNumbers } from './2026-11-23-wide-numbers.ts';
import { HashesOfKeys } from './2026-11-23-hashes-of-keys.ts';
import { RemovedAgents } from './2026-11-23-removed-agents.ts';
import { OnlyWhatIsRead } from './2026-11-23-only-what-is-read.ts';
import { RulesVersions } from './2026-11-23-rules-versions.ts';
import { Forecasts } from './2026-11-23-forecasts.ts';
import { ForecastEvents } from './2026-11-23-forecast-events.ts';
import { OperatorsDesk } from './2026-11-23-operators-desk.ts';
import { BoardTrends } from './2026-11-24-board-trends.ts';
import { OpenedAt } from './2026-11-23-opened-at.ts';
import { ArenaEdges } from './2026-11-24-arena-edges.ts';
import { Kinds } from './2026-11-24-kinds.ts';
import { ForecastReliability } from './2026-11-24-forecast-reliability.ts';
import { Standing } from './2026-11-24-standing.ts';
import { PepperMark } from './2026-11-24-pepper-mark.ts';
import { StandingPredictions } from './2026-11-24-standing-predictions.ts';
import { Webhooks } from './2026-11-24-webhooks.ts';
import { Words } from './2026-11-24-words.ts';
import { Refusals } from './2026-11-24-refusals.ts';
import { Amendments } from './2026-11-24-amendments.ts';
import { DefaultsOfSums } from './2026-11-26-defaults-of-sums.ts';
import { CrowdConfidences } from './2026-11-26-crowd-confidences.ts';
import { OwnEvents } from './2026-11-26-own-events.ts';
import { ForecastsInTime } from './2026-11-26-forecasts-in-time.ts';
import { OneLedger } from './2026-11-26-one-ledger.ts';
import { ForecastSums } from './2026-11-27-forecast-sums.ts';
import { FIRST_SCHEMA } from './first-schema.ts';

/** Every migration, in order. A landed one is never changed: add another. */
export const MIGRATIONS = [
  FIRST_SCHEMA,
  { name: '2026-11-23-wide-numbers', class: WideNumbers },
  { name: '2026-11-23-hashes-of-keys', class: HashesOfKeys },
  { name: '2026-11-23-removed-agents', class: RemovedAgents },
  { name: '2026-11-23-only-what-is-read', class: OnlyWhatIsRead },
  { name: '2026-11-23-rules-versions', class: RulesVersions },
  { name: '2026-11-23-forecasts', class: Forecasts },
  { name: '2026-11-23-forecast-events', class: ForecastEvents },
  { name: '2026-11-23-operators-desk', class: OperatorsDesk },
  { name: '2026-11-24-board-trends', class: BoardTrends },
  { name: '2026-11-23-opened-at', class: OpenedAt },
  { name: '2026-11-24-arena-edges', class: ArenaEdges },
  { name: '2026-11-24-kinds', class: Kinds },
  { name: '2026-11-24-forecast-reliability', class: ForecastReliability },
  { name: '2026-11-24-standing', class: Standing },
  { name: '2026-11-24-pepper-mark', class: PepperMark },
  { name: '2026-11-24-standing-predictions', class: StandingPredictions },
  { name: '2026-11-24-webhooks', class: Webhooks },
  { name: '2026-11-24-words', class: Words },
  { name: '2026-11-24-refusals', class: Refusals },
  { name: '2026-11-24-amendments', class: Amendments },
  { name: '2026-11-26-defaults-of-sums', class: DefaultsOfSums },
  { name: '2026-11-26-crowd-confidences', class: CrowdConfidences },
  { name: '2026-11-26-own-events', class: OwnEvents },
  { name: '2026-11-26-forecasts-in-time', class: ForecastsInTime },
  { name: '2026-11-26-one-ledger', class: OneLedger },
  { name: '2026-11-27-forecast-sums', class: ForecastSums },
];
