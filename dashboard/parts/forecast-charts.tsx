import { useState } from 'preact/hooks';

import { gains } from '../arena-record.ts';
import { type ForecastRecordQuery, ForecastRounds } from '../documents/forecast.ts';
import { useAnswer } from '../answers.ts';
import { LineChart } from '../charts/line-chart.tsx';
import { Reliability } from '../charts/reliability.tsx';
import { counted, decimal } from '../figures.ts';
import { Empty, Pending } from './notes.tsx';
import { Tabs } from './tabs.tsx';

/** The cumulative advantage over the price in the newest rounds. */
export function OverTime({ minute }: { readonly minute: number }) {
  const { data, error, refresh } = useAnswer(ForecastRounds, {});
  const points = gains(data?.rounds.nodes ?? [], minute);
  return (
    <section class="panel" aria-labelledby="over-time">
      <h2 id="over-time">
        Beside the price, over time{' '}
        <small>
          by how much its errors are smaller, added up over {counted(points.length, 'round')}; 0 is the price
        </small>
      </h2>
      {data === null && <Pending error={error} again={refresh} />}
      {data !== null && points.length === 0 && <Empty>No forecast of this minute is scored yet.</Empty>}
      {points.length > 0 && <LineChart points={points} name="Gain on the price" text={decimal} />}
    </section>
  );
}

const FORECASTERS = [
  ['forecast', 'Arena'],
  ['price', 'Price'],
  ['crowd', 'Agents’ mean'],
] as const;

type Bins = ForecastRecordQuery['forecastRecord']['checkpoints'][number]['calibration'];

/** Win rates of answers by stated probability, in tenths. */
export function Calibration({ bins }: { readonly bins: Bins }) {
  const [who, choose] = useState<(typeof FORECASTERS)[number][0]>('forecast');
  return (
    <section class="panel" aria-labelledby="calibration">
      <h2 id="calibration">
        Does it happen as often as it says? <small>on the dashed line it does</small>
      </h2>
      <Tabs label="Whose probabilities" name="who" options={FORECASTERS} value={who} choose={choose} />
      <Reliability
        of={{ stated: 'Probability of an answer', right: 'how often it won', each: 'Answers' }}
        bins={bins.map(({ from, to, [who]: { n, meanProbability, hitRate } }) => ({
          from: Math.round(from * 100),
          to: Math.round(to * 100),
          n,
          meanConfidence: meanProbability,
          hitRate,
        }))}
      />
    </section>
  );
}
