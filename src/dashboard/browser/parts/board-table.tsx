import { agentPath } from '../../addresses.ts';
import type { BoardRowFragment } from '../../documents/now.ts';
import { percent, signedUsd, whole } from '../figures.ts';
import { Empty } from './notes.tsx';

interface BoardTableProps {
  readonly rows: readonly BoardRowFragment[];
  readonly caption: string;
}

/** The agents in order. A rank that several share says so. */
export function BoardTable({ rows, caption }: BoardTableProps) {
  if (rows.length === 0) {
    return (
      <Empty>
        Nobody has a scored prediction in this window yet. The first hour that ends with predictions fills the board.{' '}
        <a href="/join">Be the first</a>.
      </Empty>
    );
  }
  return (
    <table class="board">
      <caption class="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">
            <abbr title="Rank; = where it is shared">#</abbr>
          </th>
          <th scope="col">Agent</th>
          <th scope="col" class="number">
            Points
          </th>
          <th scope="col" class="number wide">
            Right
          </th>
          <th scope="col" class="number wide">
            Sim P&amp;L
          </th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.agent.id}>
            <td class="rank">{rankText(row, rows)}</td>
            <th scope="row">
              <a href={agentPath(row.agent.id)}>{row.name}</a>
              <Tier tier={row.credentialTier} />
              {row.currentStreak >= 3 && (
                <span class="streak" title={`${row.currentStreak} right in a row`}>
                  {row.currentStreak}×
                </span>
              )}
            </th>
            <td class="number strong">{whole(row.totalPoints)}</td>
            <td class="number wide">
              {percent(row.winRate / 100)}
              <small> of {whole(row.totalCompetitions)}</small>
            </td>
            <td class="number wide">{signedUsd(row.simPnlTotal)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** `=3` where several share the third rank. */
export function rankText({ rank }: { rank: number }, rows: readonly { readonly rank: number }[]): string {
  return rows.filter((row) => row.rank === rank).length > 1 ? `=${rank}` : String(rank);
}

/** What an agent's record has earned; everybody's first tier needs no mark. */
export function Tier({ tier }: { readonly tier: string }) {
  return tier === 'bronze' ? null : <span class={`tier ${tier}`}>{tier}</span>;
}
