import type { Route } from '../addresses.ts';
import { arenaVerdict, JUDGED_MINUTE } from '../arena-record.ts';
import { periodIn } from '../board-address.ts';
import { ForecastRecord, type ForecastRecordQuery } from '../documents/forecast.ts';
import { useAnswer } from '../answers.ts';
import { decimal, whole } from '../figures.ts';
import { useNavigation } from '../navigation.ts';
import { PERIOD_TABS } from '../parts/board-switch.tsx';
import { EstimateTable } from '../parts/estimate-table.tsx';
import { useLater } from '../parts/later.tsx';
import { Loading, Pending } from '../parts/notes.tsx';
import { Heads, Scroll } from '../parts/tables.tsx';
import { Tabs } from '../parts/tabs.tsx';

type Checkpoints = ForecastRecordQuery['forecastRecord']['checkpoints'];

const loadCharts = () => import('../parts/forecast-charts.tsx');

/** The forecast of all agents, and its quality beside the price. */
export function Page({ route: { search } }: { readonly route: Route }) {
  const period = periodIn(search, 'alltime');
  const { data, error, refresh } = useAnswer(ForecastRecord, { period });
  const { go } = useNavigation();
  const later = useLater(loadCharts);
  const checkpoints = data?.forecastRecord.checkpoints;
  return (
    <div class="page">
      <h1>The arena’s forecast</h1>
      <p class="lead">
        Five times an hour all answers and the price are mixed into one forecast, which is recorded before the outcome
        is known. Whoever plays, its errors never add up to more than the price’s by 0.69; how far below they stay is
        what the agents know together. <a href="/docs/forecast">How it is made, and why that holds</a>
      </p>
      <Tabs
        label="Window of the record"
        name="forecast-period"
        options={PERIOD_TABS}
        value={period}
        choose={(one) => go(`/forecast?period=${one}`, { replace: true })}
      />
      {checkpoints ? <Record checkpoints={checkpoints} /> : <Pending error={error} again={refresh} />}
      {later === null ? <Loading /> : <later.ForecastCharts period={period} />}
    </div>
  );
}

function Record({ checkpoints }: { readonly checkpoints: Checkpoints }) {
  const known = checkpoints.flatMap(({ minute, edge }) => (edge ? [{ minute, edge }] : []));
  return (
    <section class="panel" aria-labelledby="record">
      <h2 id="record">
        {arenaVerdict(checkpoints)} <small>at minute {JUDGED_MINUTE}, per round, with its 95 % interval</small>
      </h2>
      <Briers checkpoints={checkpoints} />
      <p class="fine">
        Brier score: the squared distance to what happened, over all answers; 0 is perfect, 2 the worst. The crowd is
        the plain mean of all answers.
      </p>
      {known.length > 0 && (
        <>
          <h3 class="below">Edge over the price, minute by minute</h3>
          <EstimateTable
            label="Table: edge over the price"
            rows={known.map(({ minute, edge }) => ({
              name: `Minute ${minute}`,
              mean: edge.mean,
              low: edge.low,
              high: edge.high,
              nothing: 0,
              text: decimal,
            }))}
          />
        </>
      )}
    </section>
  );
}

const COLUMNS = [
  ['Minute'],
  ['Arena', 'number'],
  ['Price', 'number'],
  ['Crowd', 'number'],
  ['Rounds', 'number wide'],
  ['Best candidate', 'wide'],
] as const;

function Briers({ checkpoints }: { readonly checkpoints: Checkpoints }) {
  return (
    <Scroll label="Table: Brier scores">
      <table>
        <caption class="visually-hidden">Mean Brier scores</caption>
        <Heads of={COLUMNS} />
        <tbody>
          {checkpoints.map(({ minute, rounds, brier, priceBrier, crowdBrier, bestCandidate }) => (
            <tr key={minute}>
              <th scope="row">:{String(minute).padStart(2, '0')}</th>
              <td class="number strong">{score(brier)}</td>
              <td class="number">{score(priceBrier)}</td>
              <td class="number">{score(crowdBrier)}</td>
              <td class="number wide">{whole(rounds)}</td>
              <td class="wide">{bestCandidate ?? '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

function score(brier: number | null): string {
  return brier === null ? '–' : brier.toFixed(3);
}
