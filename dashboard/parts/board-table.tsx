import { agentPath } from '../addresses.ts';
import type { PlacesFragment } from '../documents/board.ts';
import { counted, decimal, percent, signedUsd, whole } from '../figures.ts';
import { BoardHeads, rankText, Tier } from './board-heads.tsx';
import { Empty } from './notes.tsx';
import { Scroll } from './tables.tsx';

type Order = PlacesFragment['orderBy'];
type Row = PlacesFragment['rankings'][number];

interface Column {
  readonly name: string;
  readonly text: (row: Row) => string;
  /** Said below it in small figures; null for nothing. */
  readonly small?: (row: Row) => string | null;
  readonly wide?: boolean;
}

/** What a board is ordered by: how it is called, and its figures. */
const FIGURES: Readonly<Record<Order, { readonly name: string; readonly text: (value: number) => string }>> = {
  POINTS: { name: 'Points', text: (points) => whole(Math.round(points)) },
  EDGE: { name: 'Edge', text: decimal },
  SKILL: { name: 'Skill', text: decimal },
  PNL: { name: 'Sim P&L', text: signedUsd },
  PEER: { name: 'Peer score', text: decimal },
  CONTRIBUTION: { name: 'Contribution', text: decimal },
  ARENA: { name: 'Edge over the arena', text: decimal },
};

interface BoardTableProps {
  readonly board: PlacesFragment;
  /** Whether it stands on a page of its own, where there is room for more. */
  readonly isWhole?: boolean;
}

/** The agents in order, each figure with its interval. A rank that several share says so, and one that chance could turn. */
export function BoardTable({ board, isWhole = false }: BoardTableProps) {
  const { orderBy, period, minRounds, rankings } = board;
  if (rankings.length === 0) return <NobodyYet minRounds={minRounds} />;
  const { name, text } = FIGURES[orderBy];
  const between = ({ interval }: Row) => interval && `${text(interval.low)} to ${text(interval.high)}`;
  const columns: readonly Column[] = [
    { name, text: ({ value }) => text(value), small: between },
    {
      name: 'Right',
      text: ({ winRate }) => percent(winRate / 100),
      small: ({ n }) => `of ${whole(n)}`,
      wide: !isWhole,
    },
    ...(isWhole ? MORE.filter((one) => one.name !== name) : []),
  ];
  const table = (
    <table class={isWhole ? 'board whole' : 'board'}>
      <caption class="visually-hidden">
        Agents by {name}, {period}
      </caption>
      <BoardHeads columns={columns} />
      <tbody>
        {rankings.map((row) => (
          <BoardRow key={row.agent.id} {...{ row, rankings, columns }} />
        ))}
      </tbody>
    </table>
  );
  return (
    <>
      {isWhole ? <Scroll label="Table: the board">{table}</Scroll> : table}
      <p class="fine">
        Small figures are 95 % intervals, of ranks and of what they rest on. ≈ may as well stand above the agent above.
        {minRounds > 0 && ` Listed from ${counted(minRounds, 'round')} on.`}
      </p>
    </>
  );
}

const MORE: readonly Column[] = [
  { name: 'Points', text: ({ totalPoints }) => whole(totalPoints) },
  { name: 'Sim P&L', text: ({ simPnlTotal }) => signedUsd(simPnlTotal) },
  { name: 'Arena points', text: ({ totalArenaPoints }) => whole(totalArenaPoints) },
  {
    name: 'Streak',
    text: ({ currentStreak }) => whole(currentStreak),
    small: ({ bestStreak }) => `best ${bestStreak}`,
  },
];

interface BoardRowProps {
  readonly row: Row;
  readonly rankings: readonly Row[];
  readonly columns: readonly Column[];
}

function BoardRow({ row, rankings, columns }: BoardRowProps) {
  const { rankInterval, tiedWithAbove, currentStreak } = row;
  return (
    <tr>
      <td class="rank">
        {rankText(row, rankings)}
        {tiedWithAbove === true && <abbr title="May as well stand above the agent above"> ≈</abbr>}
        {rankInterval != null && (
          <small>
            {rankInterval.low}–{rankInterval.high}
          </small>
        )}
      </td>
      <th scope="row">
        <a href={agentPath(row.agent.id)}>{row.name}</a>
        <Tier tier={row.credentialTier} />
        {currentStreak >= 3 && (
          <span class="streak" title={`${currentStreak} right in a row`}>
            {currentStreak}×
          </span>
        )}
      </th>
      {columns.map(({ name, text, small, wide = false }, index) => (
        <td class={`number${wide ? ' wide' : ''}${index === 0 ? ' strong' : ''}`} key={name}>
          {text(row)} <small>{small?.(row)}</small>
        </td>
      ))}
    </tr>
  );
}

function NobodyYet({ minRounds }: { readonly minRounds: number }) {
  return (
    <Empty>
      {minRounds > 0
        ? `Nobody has ${counted(minRounds, 'round')} in this window yet.`
        : 'Nobody has a scored prediction in this window yet. The first hour that ends with predictions fills the board.'}{' '}
      <a href="/join">Be the first</a>.
    </Empty>
  );
}
