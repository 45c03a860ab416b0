import { BOARD_ROWS, boardIn, boardPath } from '../board-address.ts';
import { useNavigation } from '../navigation.ts';
import { useBoard } from '../use-board.ts';
import { BoardSwitch } from './board-switch.tsx';
import { BoardTable } from './board-table.tsx';
import { Pending } from './notes.tsx';

/** The first places of the board that the address asks for. */
export function NowBoard({ search }: { readonly search: string }) {
  const asked = boardIn(search);
  const { go } = useNavigation();
  const { board, error, refresh } = useBoard(asked, BOARD_ROWS.now);
  return (
    <>
      <h2 id="board">
        Board <a href={boardPath('/leaderboard', '', asked)}>whole board</a>
      </h2>
      <BoardSwitch board={asked} choose={(one) => go(boardPath('/', search, one), { replace: true })} />
      {board !== null && <BoardTable board={board} />}
      {board === null && <Pending error={error} again={refresh} />}
    </>
  );
}
