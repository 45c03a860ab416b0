import { roundPath } from '../addresses.ts';
import type { RoundPageQuery } from '../documents/round.ts';
import { clockTime } from '../figures.ts';
import { plainQuestion } from '../plain-question.ts';
import { useSession } from '../session.ts';
import { Cite, Copied } from './copied.tsx';
import { Heads, Scroll } from './tables.tsx';

// One file for all that a round's page loads later.
export { ReturnsBars } from '../charts/returns-bars.tsx';

type Round = NonNullable<RoundPageQuery['round']>;

const FIGURES = ['openUsd', 'highUsd', 'lowUsd', 'closeUsd'] as const;

/** The candles of each source, and the agreed ones. */
export function Evidence({ round: { id, evidence, agreedCandles, amendments } }: { readonly round: Round }) {
  if (evidence.length === 0 && agreedCandles.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="evidence">
      <h2 id="evidence">
        {agreedCandles.length > 0 ? 'What decided it' : 'What the sources showed'}{' '}
        <small>candles in USD, kept for good</small>
      </h2>
      {amendments.length > 0 && <a href={`/api/rounds/${id}/evidence`}>At first; all decisions</a>}
      <Scroll label="Table: candles">
        <table>
          <Heads
            of={[
              ['Asset'],
              ['Hour'],
              ['Source'],
              ['Open', 'number'],
              ['High', 'number'],
              ['Low', 'number'],
              ['Close', 'number'],
            ]}
          />
          <tbody>
            {hoursOf([...agreedCandles, ...evidence]).flatMap((hour) => [
              ...agreedCandles.filter(hour.isOf).map((agreed) => (
                <tr class="agreed" key={`${hour.key} agreed`}>
                  <th scope="row">{agreed.symbol}</th>
                  <td>{clockTime(agreed.hourStart)}</td>
                  <td>agreed</td>
                  {FIGURES.map((figure) => (
                    <td class="number">{agreed[figure]}</td>
                  ))}
                </tr>
              )),
              ...evidence.filter(hour.isOf).map((shown) => (
                <tr key={`${hour.key} ${shown.source}`}>
                  <td>{shown.symbol}</td>
                  <td>{clockTime(shown.hourStart)}</td>
                  <td>{shown.source}</td>
                  {shown.leftOut == null ? (
                    FIGURES.map((figure) => <td class="number">{shown[figure] ?? '–'}</td>)
                  ) : (
                    <td colSpan={FIGURES.length}>left out: {shown.leftOut}</td>
                  )}
                </tr>
              )),
            ])}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}

interface OfHour {
  readonly symbol: string;
  readonly hourStart: string;
}

/** Distinct hours of assets among candles; without agreement an hour has no agreed candle. */
function hoursOf(candles: readonly OfHour[]) {
  const keyOf = ({ symbol, hourStart }: OfHour): string => `${symbol} ${hourStart}`;
  return [...new Set(candles.map(keyOf))].map((key) => ({ key, isOf: (one: OfHour) => keyOf(one) === key }));
}

/** A command that recomputes the round, and its citation. */
export function VerifyAndCite({ round }: { readonly round: Round }) {
  const { origin } = useSession();
  const { id, outcome, endTime, sealedAt } = round;
  return (
    <>
      <section class="panel" aria-labelledby="verify">
        <h2 id="verify">Verify this round</h2>
        <p>Public answers are enough to work out the outcome and each score again:</p>
        <Copied
          label="Command that verifies this round"
          text={`npm run verify -- --url ${origin} --rounds ${id}..${id}`}
        />
        {sealedAt != null && (
          <>
            <p>
              <span aria-hidden="true">🔒</span> Sealed at {sealedAt.slice(11, 19)} UTC, before the outcome was known.
              Check it:
            </p>
            <Copied label="Command that checks the log" text={`npx hourcast verify --log ${origin}`} />
          </>
        )}
      </section>
      <Cite title={`Round ${id}: ${plainQuestion(round)} ${outcome}`} path={roundPath(id)} at={endTime} />
    </>
  );
}
