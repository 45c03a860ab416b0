import { agentPath, frozenPath, type Route } from '../addresses.ts';
import { FrozenBoard, type FrozenBoardQuery } from '../documents/frozen.ts';
import { useAnswer } from '../answers.ts';
import { clockTime, counted, day, decimal, percent, signedUsd, whole } from '../figures.ts';
import { Cite } from '../parts/copied.tsx';
import { Missing, Pending } from '../parts/notes.tsx';
import { BoardHeads, rankText, Scroll } from '../parts/tables.tsx';
import { frozenTitle, periodTitle } from '../period-title.ts';
import { useTitle } from '../navigation.ts';

type Board = NonNullable<FrozenBoardQuery['leaderboardArchive']>;

export function Page({ route: { period = '' } }: { readonly route: Route }) {
  const { data, error, refresh } = useAnswer(FrozenBoard, { period });
  useTitle(data?.leaderboardArchive ? frozenTitle(data.leaderboardArchive) : null);
  if (data === null) return <Pending error={error} again={refresh} />;
  return data.leaderboardArchive ? <Shown board={data.leaderboardArchive} /> : <Missing what="frozen board" />;
}

function Shown({ board }: { readonly board: Board }) {
  const { kind, period, rounds, agents, frozenAt, amendedRounds, previous, next, summary, rankings } = board;
  return (
    <div class="page">
      <header>
        <p class="eyebrow">
          <a href="/archive">Frozen boards</a> · {kind}
        </p>
        <h1>{periodTitle(board)}</h1>
        <nav class="steps" aria-label="Boards before and after">
          {previous != null && <a href={frozenPath(previous)}>← {previous}</a>}
          {next != null && <a href={frozenPath(next)}>{next} →</a>}
        </nav>
      </header>
      <p class="lead">{summary}</p>
      <section class="panel">
        <p class="facts">
          <span>{counted(rounds, 'round')}</span>
          <span>
            {rankings.length < agents && `${rankings.length} of `}
            {counted(agents, 'agent')}
          </span>
          <span>
            frozen {day(frozenAt)}, {clockTime(frozenAt)} UTC
          </span>
        </p>
        {amendedRounds.length > 0 && (
          <p class="fine">Counted as decided at first: rounds {amendedRounds.join(', ')}.</p>
        )}
        <Scroll label="Table: the board">
          <Rows board={board} />
        </Scroll>
      </section>
      <Cite title={frozenTitle(board)} path={frozenPath(period)} at={frozenAt} />
    </div>
  );
}

const COLUMNS = ['Points', 'Right', 'Rounds', 'Edge', 'Skill', 'Sim P&L', 'Arena points', 'Best streak'].map(
  (name) => ({
    name,
  }),
);

function Rows({ board: { rankings, period } }: { readonly board: Board }) {
  return (
    <table class="board whole frozen">
      <caption class="visually-hidden">Agents by points, {period}</caption>
      <BoardHeads columns={COLUMNS} />
      <tbody>
        {rankings.map((row) => (
          <tr key={row.agentId}>
            <td class={row.rank === 1 ? 'rank first' : 'rank'}>{rankText(row, rankings)}</td>
            <th scope="row">
              <a href={agentPath(row.agentId)}>{row.name}</a>
            </th>
            <td class="number strong">{whole(row.totalPoints)}</td>
            <td class="number">{percent(row.winRate / 100)}</td>
            <td class="number">{whole(row.totalCompetitions)}</td>
            <td class="number">{row.edge == null ? '–' : decimal(row.edge.mean)}</td>
            <td class="number">{row.skill == null ? '–' : decimal(row.skill)}</td>
            <td class="number">{signedUsd(row.simPnlTotal)}</td>
            <td class="number">{whole(row.totalArenaPoints)}</td>
            <td class="number">{row.bestStreak}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
