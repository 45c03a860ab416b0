import { agentPath } from '../addresses.ts';
import type { PlacesFragment } from '../documents/board.ts';
import { counted, decimal, percent, signed, signedUsd, whole } from '../figures.ts';
import { isUnsure } from '../use-board.ts';
import { Empty } from './notes.tsx';
import { BoardHeads, EDGE, EDGE_NOTE, rankText, Scroll, Tier } from './tables.tsx';

type Order = PlacesFragment['orderBy'];
type Row = PlacesFragment['rankings'][number];

interface Column {
  readonly name: string;
  readonly text: (row: Row) => string;
  /** A small line below; null for none. */
  readonly small?: (row: Row) => string | null;
  readonly wide?: boolean;
}

/** Names and figures of the orders. */
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
  /** True: on its own page, with room for more columns. */
  readonly isWhole?: boolean;
  /** The id of the agent whose row is marked. */
  readonly own?: number | undefined;
}

/** Each figure has its interval. Shared ranks are marked, as are those that chance could turn. */
export function BoardTable({ board, isWhole = false, own }: BoardTableProps) {
  const { orderBy, period, minRounds, rankings } = board;
  if (rankings.length === 0)
    return board.places > 0 ? <Empty>The board ends before this place.</Empty> : <NobodyYet minRounds={minRounds} />;
  const { name, text } = FIGURES[orderBy];
  const between = ({ interval }: Row) => interval && `${text(interval.low)} to ${text(interval.high)}`;
  const columns: readonly Column[] = [
    { name, text: ({ value }) => text(value), small: between },
    ...(orderBy === 'EDGE' ? [] : [EDGE]),
    {
      name: 'Right',
      text: ({ winRate }) => percent(winRate / 100),
      small: ({ n }) => `of ${whole(n)}`,
      wide: true,
    },
    ...(isWhole ? MORE.filter((one) => one.name !== name) : []),
  ];
  const table = (
    <table class={isWhole ? 'board whole' : 'board'}>
      <caption class="visually-hidden">
        Agents by {name}, {period}
      </caption>
      <BoardHeads columns={columns} hasLines />
      <tbody>
        {rankings.map((row) => (
          <BoardRow
            key={row.agent.id}
            {...{ row, rankings, columns, isUnsure: isUnsure(board), isOwn: row.agent.id === own }}
          />
        ))}
      </tbody>
    </table>
  );
  return (
    <>
      <p class="fine">
        Grey: 95 % interval. ≈: not clearly behind the agent above. ▲▼: ranks since yesterday.
        {orderBy !== 'EDGE' && EDGE_NOTE}
        {minRounds > 0 && ` Listed from ${counted(minRounds, 'round')} on.`}
        {rankings.some(({ rankInterval }) => rankInterval != null) &&
          isUnsure(board) &&
          ' Ranks with * are those before the last round; the new ones follow in seconds.'}
      </p>
      {isWhole ? <Scroll label="Table: the board">{table}</Scroll> : table}
    </>
  );
}

const MORE: readonly Column[] = [
  { name: 'Points', text: ({ totalPoints }) => whole(totalPoints), wide: true },
  { name: 'Sim P&L', text: ({ simPnlTotal }) => signedUsd(simPnlTotal), wide: true },
  {
    name: 'Streak',
    text: ({ currentStreak }) => whole(currentStreak),
    small: ({ bestStreak }) => `best ${bestStreak}`,
    wide: true,
  },
];

interface BoardRowProps {
  readonly row: Row;
  readonly rankings: readonly Row[];
  readonly columns: readonly Column[];
  /** True: the rank intervals are missing, or those of an older round. */
  readonly isUnsure: boolean;
  /** True: this browser is signed in as the agent. */
  readonly isOwn: boolean;
}

function BoardRow({ row, rankings, columns, isUnsure: isOld, isOwn }: BoardRowProps) {
  const { rankInterval, tiedWithAbove, currentStreak, rankChange } = row;
  return (
    <tr class={isOwn ? 'own' : undefined}>
      <td class={row.rank === 1 ? 'rank first' : 'rank'}>
        {rankText(row, rankings)}
        {tiedWithAbove === true && <abbr title="May as well stand above the agent above"> ≈</abbr>}
        {rankChange != null && rankChange !== 0 && <RankChange by={rankChange} />}
        {rankInterval != null && (
          <small>
            {rankInterval.low}–{rankInterval.high}
            {isOld && '*'}
          </small>
        )}
      </td>
      <th scope="row">
        <a href={agentPath(row.agent.id)}>{row.name}</a>
        {isOwn && <span class="tier">yours</span>}
        <Tier tier={row.credentialTier} />
        {currentStreak >= 3 && (
          <span class="streak" title={`${currentStreak} right in a row`}>
            {currentStreak}×
          </span>
        )}
      </th>
      <td class="trend">
        <TrendLine points={row.recentPoints} />
      </td>
      {columns.map(({ name, text, small, wide = false }, index) => (
        <td class={`number${wide ? ' wide' : ''}${index === 0 ? ' strong' : ''}`} key={name}>
          {text(row)} <small>{small?.(row)}</small>
        </td>
      ))}
    </tr>
  );
}

function RankChange({ by }: { readonly by: number }) {
  return (
    <span class={`moved ${by > 0 ? 'up' : 'down'}`} title={`${by > 0 ? 'Up' : 'Down'} ${Math.abs(by)} since yesterday`}>
      <i aria-hidden="true">{by > 0 ? '▲' : '▼'}</i>
      <span class="visually-hidden">{by > 0 ? 'up' : 'down'} </span>
      {Math.abs(by)}
    </span>
  );
}

/** Cumulative gains of the newest rounds, in their own units, with the initial level. */
function TrendLine({ points }: { readonly points: readonly number[] }) {
  if (points.length === 0) return null;
  const sums = [0];
  for (const one of points) sums.push((sums.at(-1) ?? 0) + one);
  const end = sums.at(-1) ?? 0;
  const [low, high] = [Math.min(...sums), Math.max(...sums)];
  const box = `0 ${-high} ${points.length} ${high - low || 1}`;
  return (
    <svg viewBox={box} preserveAspectRatio="none" role="img" aria-label={`${signed(end)} points`}>
      <line x2={points.length} />
      <polyline class={end < 0 ? 'down' : 'up'} points={sums.map((sum, index) => `${index},${-sum}`).join(' ')} />
    </svg>
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
