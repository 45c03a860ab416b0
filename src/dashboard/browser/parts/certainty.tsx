import type { WindowFragment } from '../../documents/agent.ts';
import { IntervalBar } from '../charts/interval-bar.tsx';
import { decimal, percent } from '../figures.ts';
import { Scroll } from './scroll.tsx';

interface Row {
  readonly name: string;
  readonly mean: number;
  readonly low: number | null;
  readonly high: number | null;
  /** What somebody without any knowledge has; null where that depends on the questions. */
  readonly nothing: number | null;
  readonly text: (value: number) => string;
}

/** How sure the figures of a record are, and what they owe to chance. */
export function Certainty({ standing }: { readonly standing: WindowFragment }) {
  return (
    <section class="panel" aria-labelledby="certainty">
      <h2 id="certainty">
        Skill or luck? <small>of all time, with 95 % intervals</small>
      </h2>
      <Scroll label="Table: figures with their intervals">
        <table class="certainty">
          <thead>
            <tr>
              <th scope="col">Figure</th>
              <th scope="col" class="number">
                Mean
              </th>
              <th scope="col" class="number">
                Between
              </th>
              <th scope="col" class="bar wide">
                <span class="visually-hidden">As a bar</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rowsOf(standing).map(({ name, mean, low, high, nothing, text }) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                <td class="number strong">{text(mean)}</td>
                <td class="number">{low === null || high === null ? 'from 20 on' : `${text(low)} to ${text(high)}`}</td>
                <td class="bar wide">
                  {low !== null && high !== null && <IntervalBar mean={mean} low={low} high={high} mark={nothing} />}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {standing.luck != null && (
        <p class="fine">
          On answers drawn by chance the same confidences would win fewer rounds {percent(standing.luck.wins, 1)} of the
          time, and earn less {percent(standing.luck.pnl, 1)} of the time: 50 % is what luck alone gives.{' '}
          <a href="/docs/fairness">What each figure means</a>
        </p>
      )}
    </section>
  );
}

function rowsOf({ edge, skill, skillInterval, pointsPerRound, hitRateInterval, ...sums }: WindowFragment): Row[] {
  const rows: (Row | null)[] = [
    edge == null ? null : { name: 'Edge', ...range(edge), mean: edge.mean, nothing: 0, text: decimal },
    skill == null ? null : { name: 'Skill', mean: skill, ...range(skillInterval), nothing: 0, text: decimal },
    pointsPerRound == null
      ? null
      : { name: 'Points a round', ...range(pointsPerRound), mean: pointsPerRound.mean, nothing: 0, text: oneDecimal },
    sums.totalCompetitions === 0
      ? null
      : { name: 'Right', mean: sums.winRate / 100, ...range(hitRateInterval), nothing: null, text: wholePercent },
  ];
  return rows.filter((row) => row !== null);
}

interface Ends {
  readonly low?: number | null;
  readonly high?: number | null;
}

function range(ends: Ends | null | undefined): { low: number | null; high: number | null } {
  return { low: ends?.low ?? null, high: ends?.high ?? null };
}

function oneDecimal(value: number): string {
  return value.toFixed(1).replace('-', '−');
}

function wholePercent(value: number): string {
  return percent(value);
}
