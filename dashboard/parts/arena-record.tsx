import { arenaVerdict } from '../arena-record.ts';
import { ArenaVerdict } from '../documents/forecast.ts';
import { useAnswer } from '../answers.ts';

/** The arena beside the price in one sentence. */
export function ArenaRecord() {
  const { data } = useAnswer(ArenaVerdict, {});
  if (data === null) return null;
  return (
    <>
      <b>{arenaVerdict(data.forecastRecord.checkpoints)}.</b>
      <small>
        <a href="/forecast">The arena’s forecast and its record</a>
      </small>
    </>
  );
}
