import type { WindowFragment } from '../documents/agent.ts';
import { decimal, percent } from '../figures.ts';
import { type EstimateRow, EstimateTable } from './estimate-table.tsx';

/** How sure the figures of a record are, and what they owe to chance. */
export function Certainty({ standing }: { readonly standing: WindowFragment }) {
  return (
    <section class="panel" aria-labelledby="certainty">
      <h2 id="certainty">
        Skill or luck? <small>of all time, with 95 % intervals</small>
      </h2>
      <EstimateTable label="Table: figures with their intervals" rows={rowsOf(standing)} />
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

function rowsOf({
  edge,
  skill,
  skillInterval,
  pointsPerRound,
  hitRateInterval,
  ...sums
}: WindowFragment): EstimateRow[] {
  const rows: (EstimateRow | null)[] = [
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
