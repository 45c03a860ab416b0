import { WideNumbers } from './2026-11-23-wide-numbers.ts';
import { HashesOfKeys } from './2026-11-23-hashes-of-keys.ts';
import { RemovedAgents } from './2026-11-23-removed-agents.ts';
import { OnlyWhatIsRead } from './2026-11-23-only-what-is-read.ts';
import { RulesVersions } from './2026-11-23-rules-versions.ts';
import { Forecasts } from './2026-11-23-forecasts.ts';
import { ForecastEvents } from './2026-11-23-forecast-events.ts';
import { OperatorsDesk } from './2026-11-23-operators-desk.ts';
import { Kinds } from './2026-11-23-kinds.ts';
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
  { name: '2026-11-23-kinds', class: Kinds },
];
