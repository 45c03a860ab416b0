import { useState } from 'preact/hooks';

import { gains, JUDGED_MINUTE } from '../arena-record.ts';
import { ForecastCalibration, ForecastRounds } from '../documents/forecast.ts';
import { useAnswer } from '../answers.ts';
import type { Period } from '../../src/rules/windows.ts';
import { LineChart } from '../charts/line-chart.tsx';
import { Reliability } from '../charts/reliability.tsx';
import { counted, decimal } from '../figures.ts';
import { Empty, Pending } from './notes.tsx';
import { Tabs } from './tabs.tsx';

const MINUTES = ['5', '15', '30', '45', '55'].map((minute) => [minute, `:${minute.padStart(2, '0')}`] as const);

/** One minute's forecast beside the price: over time, and its calibration. */
export function ForecastCharts({ period }: { readonly period: Period }) {
  const [minute, choose] = useState(String(JUDGED_MINUTE));
  return (
    <>
      <Tabs label="Minute of the forecast" name="minute" options={MINUTES} value={minute} choose={choose} />
      <OverTime minute={Number(minute)} />
      <Calibration minute={Number(minute)} period={period} />
    </>
  );
}

interface OfMinute {
  readonly minute: number;
}

/** The cumulative advantage over the price in the newest rounds. */
function OverTime({ minute }: OfMinute) {
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
      {data !== null && points.length === 0 && (
        <Empty>No forecast of minute {minute} is scored yet. The first one is once its hour is decided.</Empty>
      )}
      {points.length > 0 && <LineChart points={points} name="Gain on the price" text={decimal} />}
    </section>
  );
}

const FORECASTERS = [
  ['forecast', 'Arena'],
  ['price', 'Price'],
  ['crowd', 'Crowd'],
] as const;

/** Win rates of answers by stated probability, in tenths. */
function Calibration({ minute, period }: OfMinute & { readonly period: Period }) {
  const { data, error, refresh } = useAnswer(ForecastCalibration, { period });
  const [who, choose] = useState<(typeof FORECASTERS)[number][0]>('forecast');
  const bins = data?.forecastRecord.checkpoints.find((one) => one.minute === minute)?.calibration ?? [];
  return (
    <section class="panel" aria-labelledby="calibration">
      <h2 id="calibration">
        Does what is called likely happen?{' '}
        <small>each answer of each round by itself; on the dashed line it does</small>
      </h2>
      <Tabs label="Whose probabilities" name="who" options={FORECASTERS} value={who} choose={choose} />
      {data === null ? (
        <Pending error={error} again={refresh} />
      ) : (
        <Reliability
          of={{ said: 'Probability of an answer', right: 'how often it won', each: 'Answers' }}
          bins={bins.map(({ from, to, [who]: { n, meanProbability, hitRate } }) => ({
            from: Math.round(from * 100),
            to: Math.round(to * 100),
            n,
            meanConfidence: meanProbability,
            hitRate,
          }))}
        />
      )}
    </section>
  );
}
