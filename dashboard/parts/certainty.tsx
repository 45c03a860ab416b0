import type { WindowFragment } from '../documents/agent.ts';
import { decimal, percent } from '../figures.ts';
import { type EstimateRow, EstimateTable } from './estimate-table.tsx';

/** The reliability of a record's figures, and luck's part in them. */
export function Certainty({ standing }: { readonly standing: WindowFragment }) {
  return (
    <section class="panel" aria-labelledby="certainty">
      <h2 id="certainty">
        Skill or luck? <small>of all time, with 95 % intervals</small>
      </h2>
      <EstimateTable label="Table: figures with their intervals" rows={rowsOf(standing)} />
      {standing.luck != null && (
        <>
          <p>
            Of 100 agents that guess with the same confidences, {behind(standing.luck.wins)} would win fewer rounds, and{' '}
            {behind(standing.luck.pnl)} would earn less. Luck alone stands at 50.
          </p>
          <Field name="Rounds won" share={standing.luck.wins} />
          <Field name="Earned" share={standing.luck.pnl} />
          <p class="fine">
            <a href="/docs/fairness">What each figure means</a>
          </p>
        </>
      )}
    </section>
  );
}

function behind(share: number): number {
  return Math.round(share * 100);
}

/** The share of guessers that the agent beats, on a scale with a marked middle. */
function Field({ name, share }: { readonly name: string; readonly share: number }) {
  return (
    <p class="guessers">
      <span>{name}</span>
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" role="img" aria-label={`${behind(share)} of 100 behind`}>
        <rect class="field" width="100" height="8" />
        <rect width={behind(share)} height="8" />
        <line x1="50" x2="50" y2="8" />
      </svg>
    </p>
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
