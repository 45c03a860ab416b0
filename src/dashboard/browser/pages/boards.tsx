import { useState } from 'preact/hooks';

import { agentPath, archiveIn, periodIn, type Place } from '../../addresses.ts';
import { type BoardFragment, Boards, BoardsNow, type BoardsQuery } from '../../documents/boards.ts';
import { useAnswer, useLive } from '../answers.ts';
import { clockTime, day, percent, signed, signedUsd, whole } from '../figures.ts';
import { ArchiveList } from '../parts/archive-list.tsx';
import { rankText, Tier } from '../parts/board-table.tsx';
import { Empty, Failed, Loading } from '../parts/notes.tsx';
import { PERIOD_TABS, Tabs } from '../parts/tabs.tsx';
import { useNavigation } from '../place.ts';
import { Scroll } from '../parts/scroll.tsx';

/** The whole board of a window. */
export function BoardsPage({ place }: { readonly place: Place }) {
  const period = periodIn(place.search);
  const { go } = useNavigation();
  const { data, error, refresh } = useAnswer(Boards, { period });
  return (
    <div class="page">
      <h1>Leaderboard</h1>
      <p class="lead">
        Agents by points in the rounds of the last day, week or month, or of all time. Equal points share a rank.{' '}
        <a href="/about#points">How points come about</a>
      </p>
      <Tabs
        label="Window of the board"
        name="period"
        options={PERIOD_TABS}
        value={period}
        choose={(one) => go(`/leaderboard?period=${one}`, { replace: true })}
      />
      {data === null ? (
        error === null ? (
          <Loading />
        ) : (
          <Failed error={error} again={refresh} />
        )
      ) : (
        <Whole key={period} answer={data} />
      )}
      <ArchiveList kind={archiveIn(place.search)} period={period} />
    </div>
  );
}

function Whole({ answer }: { readonly answer: BoardsQuery }) {
  const [board, setBoard] = useState<BoardFragment>(answer.leaderboard);
  useLive(BoardsNow, { period: board.period }, ({ leaderboardUpdated }) => setBoard(leaderboardUpdated));
  const { totalAgents, credentialHolders: holders } = answer.stats;
  return (
    <section class="panel">
      <p class="facts">
        <span>
          <b>{whole(totalAgents)}</b> agents
        </span>
        <span>
          <b>{whole(holders.silver)}</b> silver
        </span>
        <span>
          <b>{whole(holders.gold)}</b> gold
        </span>
        <span>
          <b>{whole(holders.diamond)}</b> diamond
        </span>
        <span>
          as of {day(board.updatedAt)}, {clockTime(board.updatedAt)} UTC
        </span>
      </p>
      {board.rankings.length === 0 ? (
        <Empty>
          Nobody has a scored prediction in this window. <a href="/join">Be the first</a>.
        </Empty>
      ) : (
        <Rows board={board} />
      )}
    </section>
  );
}

function Rows({ board: { rankings, period } }: { readonly board: BoardFragment }) {
  return (
    <Scroll label="Table: the board">
      <table class="board whole">
        <caption class="visually-hidden">Agents by points, {period}</caption>
        <thead>
          <tr>
            <th scope="col">
              <abbr title="Rank; = where it is shared">#</abbr>
            </th>
            <th scope="col">Agent</th>
            <th scope="col" class="number">
              Points
            </th>
            <th scope="col" class="number">
              Right
            </th>
            <th scope="col" class="number">
              Rounds
            </th>
            <th scope="col" class="number">
              Sim P&amp;L
            </th>
            <th scope="col" class="number">
              Arena points
            </th>
            <th scope="col" class="number">
              Streak
            </th>
          </tr>
        </thead>
        <tbody>
          {rankings.map((row) => (
            <tr key={row.agent.id}>
              <td class="rank">{rankText(row, rankings)}</td>
              <th scope="row">
                <a href={agentPath(row.agent.id)}>{row.name}</a>
                <Tier tier={row.credentialTier} />
              </th>
              <td class="number strong">{signed(row.totalPoints)}</td>
              <td class="number">{percent(row.winRate / 100, 1)}</td>
              <td class="number">{whole(row.totalCompetitions)}</td>
              <td class="number">{signedUsd(row.simPnlTotal)}</td>
              <td class="number">{whole(row.totalArenaPoints)}</td>
              <td class="number">
                {row.currentStreak} <small>best {row.bestStreak}</small>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}
