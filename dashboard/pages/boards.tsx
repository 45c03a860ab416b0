import { useState } from 'preact/hooks';

import { BOARD_ROWS, boardIn, boardPath, boardTitle, FROZEN_KINDS } from '../board-address.ts';
import type { Route } from '../addresses.ts';
import type { PlacesFragment } from '../documents/board.ts';
import { Holders } from '../documents/boards.ts';
import { useAnswer } from '../answers.ts';
import { whole } from '../figures.ts';
import { FindAgent } from '../parts/find-agent.tsx';
import { BoardSwitch, OrderLine, RoundsSwitch } from '../parts/board-switch.tsx';
import { BoardTable } from '../parts/board-table.tsx';
import { useLater } from '../parts/later.tsx';
import { Loading, Pending } from '../parts/notes.tsx';
import { FOLLOWED, kept } from '../machine.ts';
import { useNavigation, useTitle } from '../navigation.ts';
import { useBoard } from '../use-board.ts';

const loadBeside = () => import('../parts/followed-list.tsx');

export function Page({ route: { search } }: { readonly route: Route }) {
  const shown = boardIn(search);
  const { go } = useNavigation();
  const later = useLater(loadBeside);
  const title = boardTitle(shown);
  const query = boardPath('', '', shown);
  useTitle(title);
  const [own, setOwn] = useState<number>();
  const { board, error, refresh } = useBoard(shown, BOARD_ROWS.boards);
  const { data } = useAnswer(Holders, { period: shown.period, kind: FROZEN_KINDS[shown.period] });
  const choose = (one: typeof shown): void => go(boardPath('/leaderboard', search, one), { replace: true });
  // The list above the board would move it.
  if (later === null && kept(FOLLOWED) !== null) return <Loading />;
  return (
    <div class="page boards">
      <FindAgent title="Leaderboard" />
      <div class="switches">
        <BoardSwitch board={shown} choose={choose} />
        <RoundsSwitch board={shown} choose={choose} />
        <OrderLine />
      </div>
      {later !== null && <later.FollowedList period={shown.period} />}
      {later !== null && <later.OwnAgent found={setOwn} />}
      {board === null && <Pending error={error} again={refresh} />}
      {board !== null && (
        <section class="panel">
          <BoardTable board={board} isWhole own={own} />
          <Places
            board={board}
            after={shown.after}
            pathAt={(after) => boardPath('/leaderboard', search, shown, after)}
          />
          {later !== null && <later.BoardFacts of={data} updatedAt={board.updatedAt} />}
        </section>
      )}
      <p class="fine">
        Equal figures share a rank; intervals of ranks are among the first 100.{' '}
        <a href="/about#points">How points come about</a>, <a href="/docs/fairness">what each figure means</a>. This
        board changes each hour; <a href="/archive">the boards of finished days, weeks and months</a> stay as they are.{' '}
        <a href="/agents">All agents</a>.
      </p>
      {later !== null && data !== null && (
        <later.CiteBoard frozen={data.leaderboardArchives.nodes[0]}>
          <p class="fine">
            <a href={`/leaderboard.csv${boardPath('', '', shown, shown.after)}`}>The rows above as CSV</a>
          </p>
          <later.FrameCode path={`/embed/board${query}`} height={780} title={title} />
        </later.CiteBoard>
      )}
    </div>
  );
}

interface PlacesProps {
  readonly board: PlacesFragment;
  readonly after: number;
  readonly pathAt: (after: number) => string;
}

/** The board's other parts, or where it ends. */
function Places({ board: { places, rankings }, after, pathAt }: PlacesProps) {
  const end = after + rankings.length;
  return (
    <p class="steps">
      {after > 0 && <a href={pathAt(Math.min(after - 100, Math.ceil(places / 100 - 1) * 100))}>100 before</a>}
      {end > after && (
        <span>
          {whole(after + 1)} to {whole(end)} of {whole(places)}
        </span>
      )}
      {end < places && <a href={pathAt(end)}>Next 100</a>}
    </p>
  );
}
