import { useState } from 'preact/hooks';

import { gains, JUDGED_MINUTE } from '../arena-record.ts';
import { ForecastRounds } from '../documents/forecast.ts';
import { useAnswer } from '../answers.ts';
import { LineChart } from '../charts/line-chart.tsx';
import { counted, decimal } from '../figures.ts';
import { Empty, Pending } from './notes.tsx';
import { Tabs } from './tabs.tsx';

const MINUTES = ['5', '15', '30', '45', '55'].map((minute) => [minute, `:${minute.padStart(2, '0')}`] as const);

/** By how much the forecast has been better than the price, added up over the newest rounds. */
export function ForecastOverTime() {
  const { data, error, refresh } = useAnswer(ForecastRounds, {});
  const [minute, choose] = useState(String(JUDGED_MINUTE));
  const points = gains(data?.rounds.nodes ?? [], Number(minute));
  return (
    <>
      <h2 id="over-time">
        Beside the price, over time{' '}
        <small>
          by how much its errors are smaller, added up over {counted(points.length, 'round')}; 0 is the price
        </small>
      </h2>
      <Tabs label="Minute of the forecast" name="minute" options={MINUTES} value={minute} choose={choose} />
      {data === null && <Pending error={error} again={refresh} />}
      {data !== null && points.length === 0 && (
        <Empty>No forecast of minute {minute} is scored yet. The first one is once its hour is decided.</Empty>
      )}
      {points.length > 0 && <LineChart points={points} name="Gain on the price" text={decimal} />}
    </>
  );
}
