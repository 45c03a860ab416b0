import { lateness, verdict } from '../agent-verdict.ts';
import type { AgentPageQuery } from '../documents/agent.ts';
import { decimal, percent, signed } from '../figures.ts';
import { type EstimateRow, EstimateTable } from './estimate-table.tsx';

type Agent = NonNullable<AgentPageQuery['agent']>;

/** The verdict by edge, the reliability of a record's figures, and luck's part in them. */
export function Certainty({ agent: { alltime: standing, medianMinute } }: { readonly agent: Agent }) {
  const { edge, luck } = standing;
  return (
    <section class="panel" aria-labelledby="certainty">
      <h2 id="certainty">
        Skill or luck? <small>of all time, with 95 % intervals</small>
      </h2>
      <p class="asked">{verdict(edge)}</p>
      <p>{lateness(medianMinute)}</p>
      <EstimateTable label="Table: figures with their intervals" rows={rowsOf(standing)} />
      {luck != null && (
        <p>
          Of 100 guessers with the same confidences, {Math.round(luck.wins * 100)} would win fewer rounds, and{' '}
          {Math.round(luck.pnl * 100)} would earn less. Luck alone gives 50.
        </p>
      )}
      <p class="fine">
        <a href="/docs/fairness">What each figure means</a>
      </p>
    </section>
  );
}

function rowsOf({ edge, skill, skillInterval, pointsPerRound, ...sums }: Agent['alltime']): EstimateRow[] {
  return [
    ...(edge == null ? [] : [{ name: 'Edge', ...edge, text: decimal }]),
    ...(skill == null ? [] : [{ name: 'Skill', mean: skill, ...skillInterval, text: decimal }]),
    ...(pointsPerRound == null ? [] : [{ name: 'Points a round', ...pointsPerRound, text: tenths }]),
    { name: 'Right', mean: sums.winRate / 100, ...sums.hitRateInterval, nothing: null, text: percent },
  ];
}

function tenths(value: number): string {
  return signed(Math.round(value * 10) / 10);
}
