import type { Route } from '../addresses.ts';
import { BOARD_ROWS, boardIn, boardPath, boardTitle } from '../board-address.ts';
import { BoardTable } from '../parts/board-table.tsx';
import { EmbedFrame } from '../parts/embed-frame.tsx';
import { useBoard } from '../use-board.ts';

/** For a frame of another site. */
export function Page({ route: { search } }: { readonly route: Route }) {
  const shown = boardIn(search);
  const { board, error, refresh } = useBoard(shown, BOARD_ROWS.now);
  return (
    <EmbedFrame error={error} again={refresh}>
      {board && (
        <>
          <h1>
            <a href={boardPath('/leaderboard', search, shown)}>{boardTitle(shown)}</a>
          </h1>
          <BoardTable board={board} />
        </>
      )}
    </EmbedFrame>
  );
}
