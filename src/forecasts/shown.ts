import type { RecordedForecast } from '../reads/forecasts.ts';
import type { RoundRow } from '../reads/plan/round.ts';
import type { ForecastNow } from './running.ts';

/** A forecast of a round as the schema shows it: recorded, or worked out now. */
export interface ShownForecast extends ForecastNow {
  readonly round: Pick<RoundRow, 'id' | 'startTime' | 'choices' | 'rulesVersion' | 'status'>;
  /** Null of one that is worked out now. */
  readonly recorded: RecordedForecast | null;
}
