import type { PricesFragment } from '../../documents/now.ts';
import type { AskedQuestion } from '../../plain-question.ts';
import { crowdLine, entryDots, type HourEntry, MOST_ENTRIES, shareLine } from '../hour-lines.ts';
import { referenceLine, returnLines, turningReturns } from '../hour-prices.ts';
import { useHourPrices, useSeenPrices } from '../use-hour-prices.ts';
import { HourChart } from './hour-chart.tsx';
import { ReturnsChart } from './returns-chart.tsx';

export interface HourDiagramsProps {
  readonly round: AskedQuestion & {
    readonly id: number;
    readonly status: string;
    readonly startTime: string;
    readonly outcome?: string | null;
    readonly assets?: readonly { readonly symbol: string; readonly returnPct?: number | null }[];
  };
  readonly entries: readonly HourEntry[];
  /** The answer whose probability is drawn. */
  readonly answer: string;
  /** Up to which minute of the hour. */
  readonly now: number;
  /** The present prices, while they come by themselves. */
  readonly market: PricesFragment | null;
}

/** What was said through an hour, and below it what the prices did. */
export function HourDiagrams({ round, entries, answer, now, market }: HourDiagramsProps) {
  const { reference, crowdHistory } = useHourPrices(round);
  const seen = useSeenPrices(round.id, market);
  const { startTime: start, choices, params, questionType, outcome } = round;
  const dots = entryDots(entries, { start, answer, choices: choices.length }).filter(({ minute }) => minute <= now);
  const said = referenceLine(reference, { start, answer }).filter(({ minute }) => minute <= now);
  // Of the entries that are not fetched nothing is known but how many gave each answer.
  const shares = entries.length < MOST_ENTRIES ? null : (crowdHistory ?? null);
  const crowd =
    shares === null ? crowdLine(dots) : shareLine(shares, { start, answer }).filter(({ minute }) => minute <= now);
  const known = returnLines(reference, { start, seen, assets: outcome == null ? [] : (round.assets ?? []) });
  // Before the first price of the hour is known its diagram is there already, so that nothing moves when it comes.
  const awaited = round.status === 'active' ? (round.assets ?? []) : [];
  const returns = known.length > 0 ? known : awaited.map(({ symbol }) => ({ symbol, points: [] }));
  return (
    <>
      <HourChart
        answer={answer}
        dots={dots}
        now={now}
        end={outcome == null || now < END ? null : outcome === answer ? 1 : 0}
        lines={[
          { name: 'Price', look: 'reference', points: said },
          { name: shares === null ? 'Crowd' : 'Share', look: 'crowd', points: crowd },
        ]}
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
