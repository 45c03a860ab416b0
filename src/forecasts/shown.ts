import type { RecordedForecast } from '../reads/forecasts.ts';
import type { RoundRow } from '../reads/plan/round.ts';
import type { PointForecast } from './running.ts';

/** A forecast of a round for the schema: recorded, or computed on request. */
export interface ShownForecast extends PointForecast {
  readonly round: Pick<RoundRow, 'id' | 'startTime' | 'choices' | 'rulesVersion' | 'status'>;
  /** Null for a forecast computed on request. */
  readonly recorded: RecordedForecast | null;
}
