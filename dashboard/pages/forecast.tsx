import { useEffect, useState } from 'preact/hooks';

import { type Route, roundPath } from '../addresses.ts';
import { arenaVerdict, JUDGED_MINUTE } from '../arena-record.ts';
import { ForecastNow, type ForecastNowQuery, ForecastRecord, type ForecastRecordQuery } from '../documents/forecast.ts';
import { PERIOD_TABS, periodIn } from '../period-choice.ts';
import { useAnswer, useHappenings } from '../answers.ts';
import { clockTime, counted, decimal, minuteOf, percent } from '../figures.ts';
import { useNavigation } from '../navigation.ts';
import { useLater } from '../parts/later.tsx';
import { Empty, Loading, Pending } from '../parts/notes.tsx';
import { typeName } from '../parts/round-list.tsx';
import { Figures } from '../parts/tables.tsx';
import { Tabs } from '../parts/tabs.tsx';
import { plainQuestion } from '../plain-question.ts';

type Checkpoint = ForecastRecordQuery['forecastRecord']['checkpoints'][number];

const loadCharts = () => import('../parts/details.ts');

/** The arena's forecast now, how often it comes true, and its record beside the price. */
export function Page({ route: { search } }: { readonly route: Route }) {
  const period = periodIn(search, 'alltime');
  const { data, error, refresh } = useAnswer(ForecastRecord, { period });
  useHappenings(refresh);
  const { go } = useNavigation();
  const later = useLater(loadCharts);
  const [minute, choose] = useState(JUDGED_MINUTE);
  const judged = data?.forecastRecord.checkpoints.find((one) => one.minute === minute);
  return (
    <div class="page">
      <h1>The arena’s forecast</h1>
      <p class="lead">
        Five times an hour all answers and the price are mixed into one forecast, recorded before the outcome is known.{' '}
        <a href="/docs/forecast">How it is made</a>
      </p>
      <Present />
      <div class="switches">
        <Tabs
          label="Window of the record"
          name="forecast-period"
          options={PERIOD_TABS}
          value={period}
          choose={(one) => go(`/forecast?period=${one}`, { replace: true })}
        />
        <Tabs
          label="Minute of the forecast"
          name="minute"
          options={MINUTES}
          value={String(minute)}
          choose={(one) => choose(Number(one))}
        />
      </div>
      {data ? (
        <>
          <div class="reliability">
            {later === null ? <Loading /> : <later.Calibration bins={judged?.calibration ?? []} />}
          </div>
          <Record record={data.forecastRecord} judged={judged} />
        </>
      ) : (
        <Pending error={error} again={refresh} />
      )}
      {later && <later.OverTime minute={minute} />}
    </div>
  );
}

const MINUTES = [5, 15, 30, 45, 55].map((minute) => [String(minute), minuteOf(minute)] as const);

const REFRESHED_MS = 15_000;

/** The running hour's forecast. */
function Present() {
  const { data, error, refresh } = useAnswer(ForecastNow, {});
  useEffect(() => {
    const timer = setInterval(refresh, REFRESHED_MS);
    return () => clearInterval(timer);
  }, [refresh]);
  if (data === null) return <Pending error={error} again={refresh} />;
  const { currentRound: round } = data;
  if (round == null) return <Empty>No hour is being played. The next one begins on the full hour.</Empty>;
  return (
    <section class="panel" aria-labelledby="present">
      <h2 id="present">
        Now <a href={roundPath(round.id)}>round {round.id}</a>
      </h2>
      <p class="asked">{plainQuestion(round)}</p>
      {round.forecast ? (
        <Figures of={presentFigures(round.forecast)} />
      ) : (
        <p>
          {round.status === 'active'
            ? 'Sealed until the hour is over, like the answers.'
            : 'The hour is over and is being decided.'}
        </p>
      )}
    </section>
  );
}

type Forecast = NonNullable<NonNullable<ForecastNowQuery['currentRound']>['forecast']>;

/** The likeliest answer, with its probability by the arena, the price and the agents' mean. */
function presentFigures({ at, known, entries, probabilities, price, crowd }: Forecast) {
  const { answer, probability } = probabilities.reduce((most, one) =>
    one.probability > most.probability ? one : most,
  );
  const of = (list: Forecast['price'] | null | undefined): string => {
    const found = list?.find((one) => one.answer === answer);
    return found ? percent(found.probability) : '–';
  };
  return [
    ['Arena', `${answer} ${percent(probability)}`, `as of ${clockTime(at)} UTC`],
    ['Price alone', known ? of(price) : 'unknown'],
    ['Agents’ mean', of(crowd), `of ${counted(entries, 'answer')}`],
  ] as const;
}

interface RecordProps {
  readonly record: ForecastRecordQuery['forecastRecord'];
  /** The checkpoint of the chosen minute. */
  readonly judged: Checkpoint | undefined;
}

function Record({ record: { checkpoints, betterAt, worseAt }, judged }: RecordProps) {
  return (
    <section class="panel" aria-labelledby="record">
      <h2 id="record">
        {arenaVerdict(checkpoints)} <small>at :{JUDGED_MINUTE}</small>
      </h2>
      <p>
        Over all time better than the price at: {namesOf(betterAt)}; worse at: {namesOf(worseAt)}.
      </p>
      <Figures of={recordFigures(judged)} isSmall />
      <p class="fine">The error is the Brier score: 0 is perfect, 2 the worst. There is no verdict before 20 rounds.</p>
    </section>
  );
}

function namesOf(kinds: readonly string[]): string {
  return kinds.map(typeName).join(', ') || 'nothing yet';
}

function recordFigures(judged: Checkpoint | undefined) {
  const { brier, priceBrier, crowdBrier, edge, rounds = 0 } = judged ?? {};
  return [
    ['Arena', score(brier), 'mean error'],
    ['Price', score(priceBrier), 'at the same moments'],
    ['Agents’ mean', score(crowdBrier)],
    ['Gain', edge ? decimal(edge.mean) + reach(edge) : '–', `on the price, a mean over ${counted(rounds, 'round')}`],
  ] as const;
}

/** Half of the 95 % interval. */
function reach({ low, high }: { readonly low: number | null; readonly high: number | null }): string {
  return low === null || high === null ? '' : ` ± ${((high - low) / 2).toFixed(3)}`;
}

function score(brier: number | null | undefined): string {
  return brier == null ? '–' : brier.toFixed(3);
}
