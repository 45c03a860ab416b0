import { useEffect, useRef, useState } from 'preact/hooks';

import type { PricesFragment } from '../documents/now.ts';
import { minutesFrom } from '../figures.ts';
import type { AskedQuestion } from '../plain-question.ts';
import { crowdLine, entryDots, forecastLine, type HourEntry, type HourPoint, minuteLine } from '../hour-lines.ts';
import { referenceLine, returnLines, type SeenPrice } from '../hour-prices.ts';
import { turningReturns } from '../turning-returns.ts';
import { HourChart, type HourLine } from './hour-chart.tsx';
import { ReturnsChart } from './returns-chart.tsx';
import { HourPrices, type HourPricesQuery } from '../documents/hour.ts';
import { useAnswer } from '../answers.ts';
import { chance } from '../machine.ts';
import { useSession } from '../session.ts';

export interface HourDiagramsProps {
  readonly round: AskedQuestion & {
    readonly id: number;
    readonly status: string;
    readonly startTime: string;
    readonly totalEntries: number;
    readonly outcome?: string | null;
    readonly assets?: readonly { readonly symbol: string; readonly returnPct?: number | null }[];
  };
  readonly entries: readonly HourEntry[];
  readonly answer: string;
  /** Draws up to this minute. */
  readonly now: number;
  /** Current prices, while they update. */
  readonly market: PricesFragment | null | undefined;
}

/** The forecasts of an hour, and its prices below. */
export function HourDiagrams({ round, entries, answer, now, market }: HourDiagramsProps) {
  const prices = useHourPrices(round);
  const { reference } = prices;
  const seen = useSeenPrices(round.id, market);
  const { startTime: start, params, questionType, outcome } = round;
  const end = outcome == null || now < END ? null : outcome === answer ? 1 : 0;
  const soFar = ({ minute }: HourPoint): boolean => minute <= now;
  const known = returnLines(reference, { start, seen, assets: outcome == null ? [] : (round.assets ?? []) });
  // The diagram has its space before the first price, so that the layout does not move.
  const awaited = round.status === 'active' ? (round.assets ?? []) : [];
  const returns = known.length > 0 ? known : awaited.map(({ symbol }) => ({ symbol, points: [] }));
  // With more entries than were fetched, the service's counts by minute replace them.
  const history = entries.length < round.totalEntries ? (prices.crowdHistory ?? []) : null;
  const dots =
    history === null ? entryDots(entries, { start, answer, choices: round.choices.length }).filter(soFar) : [];
  const counts =
    history?.map(({ at, n: value }) => ({ minute: minutesFrom(start, at), value })) ??
    dots.map(({ minute }, index) => ({ minute, value: index + 1 }));
  return (
    <>
      <HourChart
        answer={answer}
        dots={dots}
        counts={counts.filter(soFar)}
        now={now}
        end={end}
        lines={linesOf(prices, { round, entries, history, answer, end }).map((line) => ({
          ...line,
          points: line.points.filter(soFar),
        }))}
      />
      {returns.length > 0 && (
        <>
          <h3 class="below">Since the start of the hour</h3>
          <ReturnsChart
            lines={returns}
            now={now}
            turning={turningReturns({ questionType, thresholdPct: params.thresholdPct })}
            leading={[params.subject ?? answer]}
          />
        </>
      )}
    </>
  );
}

const END = 60;

type Prices = NonNullable<HourPricesQuery['round']>;

interface LineParts extends Pick<HourDiagramsProps, 'round' | 'entries' | 'answer'> {
  /** Null if all entries were fetched. */
  readonly history: Prices['crowdHistory'];
  readonly end: 0 | 1 | null;
}

/** The price, the crowd and the arena; for more than two answers also the crowd's other answers. */
function linesOf(
  { reference, forecasts, forecast }: Prices,
  { round: { startTime: start, choices }, entries, history, answer, end }: LineParts,
): HourLine[] {
  const arena = [...(forecasts ?? []), ...(forecast ? [forecast] : [])];
  const crowdOf = (one: string): HourPoint[] => {
    const line = { start, answer: one, choices: choices.length };
    return history === null ? crowdLine(entryDots(entries, line)) : minuteLine(history, line);
  };
  const line = referenceLine(reference, { start, answer });
  const others = choices.length > 2 ? choices.filter((one) => one !== answer) : [];
  return [
    {
      name: 'Price',
      look: 'reference',
      // The price has settled the question at the end.
      points: end === null || line.length === 0 ? line : [...line, { minute: END, value: end }],
    },
    { name: 'Crowd', look: 'crowd', points: crowdOf(answer) },
    { name: 'Arena', look: 'arena', points: forecastLine(arena, { start, answer }) },
    ...others.map((one) => ({ name: one, look: 'other' as const, points: crowdOf(one) })),
  ];
}

/** The reference has a point each minute of the service's clock; a fast clock is queried less often. */
const POINT_MS = 60_000;
const SOONEST_MS = 1_500;
/** Random delay, so that readers of the same hour do not query at once. */
const SPREAD_MS = 1_000;

function useHourPrices(round: { readonly id: number; readonly status: string }) {
  const { clock } = useSession();
  const { data, refresh } = useAnswer(HourPrices, { round: round.id });
  const isOn = round.status === 'active' || round.status === 'resolving';
  useEffect(() => {
    if (!isOn) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const wait = (): void => {
      const toPoint = (POINT_MS - (clock.now() % POINT_MS)) / clock.speed();
      timer = setTimeout(ask, Math.max(SOONEST_MS, toPoint + SPREAD_MS * chance()));
    };
    const ask = (): void => {
      clearTimeout(timer);
      if (!document.hidden) refresh();
      wait();
    };
    wait();
    // A tab that was hidden has old prices.
    document.addEventListener('visibilitychange', ask);
    return () => {
      document.removeEventListener('visibilitychange', ask);
      clearTimeout(timer);
    };
  }, [isOn, round.id]);
  const wasOn = useRef(isOn);
  useEffect(() => {
    // The last minutes, once the round is decided.
    if (wasOn.current && !isOn) refresh();
    wasOn.current = isOn;
  }, [isOn]);
  return data?.round ?? NOTHING;
}

const NOTHING: Prices = {
  reference: [],
  crowdHistory: null,
  forecasts: null,
  forecast: null,
};

/** Prices received since the round is shown. */
function useSeenPrices(roundId: number, market: PricesFragment | null | undefined): readonly SeenPrice[] {
  const [seen, setSeen] = useState<readonly SeenPrice[]>([]);
  useEffect(() => setSeen([]), [roundId]);
  useEffect(() => {
    if (market == null) return;
    const { timestamp: at } = market;
    const news = market.assets.map(({ symbol, priceUsd }) => ({ at, symbol, priceUsd }));
    // Older ones are already part of the reference.
    setSeen((before) => [...before, ...news].slice(-MOST_SEEN));
  }, [market]);
  return seen;
}

const MOST_SEEN = 8 * 60;
