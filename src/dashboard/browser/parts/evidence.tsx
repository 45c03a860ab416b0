import type { RoundPageQuery } from '../../documents/round.ts';
import { clockTime } from '../figures.ts';
import { Scroll } from './scroll.tsx';

type Round = NonNullable<RoundPageQuery['round']>;

const FIGURES = ['openUsd', 'highUsd', 'lowUsd', 'closeUsd'] as const;

/** What each source of prices showed, and what they agreed on. */
export function Evidence({ round: { evidence, agreedCandles } }: { readonly round: Round }) {
  if (evidence.length === 0 && agreedCandles.length === 0) return null;
  return (
    <section class="panel" aria-labelledby="evidence">
      <h2 id="evidence">
        What decided it <small>candles in USD, kept for good</small>
      </h2>
      <Scroll label="Table: candles">
        <table>
          <thead>
            <tr>
              <th scope="col">Asset</th>
              <th scope="col">Hour</th>
              <th scope="col">Source</th>
              <th scope="col" class="number">
                Open
              </th>
              <th scope="col" class="number">
                High
              </th>
              <th scope="col" class="number">
                Low
              </th>
              <th scope="col" class="number">
                Close
              </th>
            </tr>
          </thead>
          <tbody>
            {agreedCandles.flatMap((agreed) => [
              <tr class="agreed" key={`${agreed.symbol} ${agreed.hourStart}`}>
                <th scope="row">{agreed.symbol}</th>
                <td>{clockTime(agreed.hourStart)}</td>
                <td>agreed</td>
                {FIGURES.map((figure) => (
                  <td class="number">{agreed[figure]}</td>
                ))}
              </tr>,
              ...evidence
                .filter(({ symbol, hourStart }) => symbol === agreed.symbol && hourStart === agreed.hourStart)
                .map((shown) => (
                  <tr key={`${shown.symbol} ${shown.hourStart} ${shown.source}`}>
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
