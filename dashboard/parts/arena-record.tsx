import { arenaVerdict, JUDGED_MINUTE } from '../arena-record.ts';
import { ForecastRecord } from '../documents/forecast.ts';
import { useAnswer } from '../answers.ts';
import { counted } from '../figures.ts';

/** The arena beside the price in one figure. */
export function ArenaRecord() {
  const { data } = useAnswer(ForecastRecord, { period: 'alltime' });
  if (data === null) return null;
  const { checkpoints } = data.forecastRecord;
  const rounds = checkpoints.find(({ minute }) => minute === JUDGED_MINUTE)?.rounds ?? 0;
  return (
    <>
      <b>{arenaVerdict(checkpoints)}</b>
      <small>
        Its forecast at half of the hour, by the Brier score, over {counted(rounds, 'round')}.{' '}
        <a href="/forecast">Its record</a>
      </small>
    </>
  );
}
