import { archiveIn, archivePath, BOARD_ROWS, boardIn, boardPath } from '../board-address.ts';
import { frozenPath, type Route } from '../addresses.ts';
import { Archives, Holders } from '../documents/boards.ts';
import { useAnswer } from '../answers.ts';
import { clockTime, counted, day, whole } from '../figures.ts';
import { BoardSwitch, RoundsSwitch } from '../parts/board-switch.tsx';
import { BoardTable } from '../parts/board-table.tsx';
import { Empty, Pending } from '../parts/notes.tsx';
import { useNavigation } from '../navigation.ts';
import { useBoard } from '../use-board.ts';
import type { ArchiveKind } from '../../src/rules/schema-enums.ts';
import { Tabs } from '../parts/tabs.tsx';

/** The whole board of a window, in an order. */
export function BoardsPage({ route: { search } }: { readonly route: Route }) {
  const asked = boardIn(search);
  const { go } = useNavigation();
  const { board, error, refresh } = useBoard(asked, BOARD_ROWS.boards);
  const choose = (one: typeof asked): void => go(boardPath('/leaderboard', search, one), { replace: true });
  return (
    <div class="page">
      <h1>Leaderboard</h1>
      <p class="lead">
        Agents of the last day, week or month, or of all time: by points, by edge over what the price alone said, by
        skill, or by simulated profit and loss. Equal figures share a rank.{' '}
        <a href="/about#points">How points come about</a>, <a href="/docs/fairness">what each figure means</a>
      </p>
      <div class="switches">
        <BoardSwitch board={asked} choose={choose} />
        <RoundsSwitch board={asked} choose={choose} />
      </div>
      {board === null && <Pending error={error} again={refresh} />}
      {board !== null && (
        <section class="panel">
          <Facts updatedAt={board.updatedAt} />
          <BoardTable board={board} isWhole />
        </section>
      )}
      <ArchiveList kind={archiveIn(search)} search={search} />
    </div>
  );
}

function Facts({ updatedAt }: { readonly updatedAt: string }) {
  const { data } = useAnswer(Holders, {});
  const { totalAgents = 0, credentialHolders: holders } = data?.stats ?? {};
  const counts = [
    [totalAgents, 'agents'],
    [holders?.silver, 'silver'],
    [holders?.gold, 'gold'],
    [holders?.diamond, 'diamond'],
  ] as const;
  return (
    <p class="facts">
      {counts.map(([count, name]) => (
        <span key={name}>
          <b>{whole(count ?? 0)}</b> {name}
        </span>
      ))}
      <span>
        as of {day(updatedAt)}, {clockTime(updatedAt)} UTC
      </span>
    </p>
  );
}

const KINDS = [
  ['day', 'Days'],
  ['week', 'Weeks'],
  ['month', 'Months'],
] as const;

/** The newest boards of finished days, weeks or months, each with its page. */
function ArchiveList({ kind, search }: { readonly kind: ArchiveKind; readonly search: string }) {
  const { data, error, refresh } = useAnswer(Archives, { kind });
  const { go } = useNavigation();
  return (
    <section class="panel" aria-labelledby="archives">
      <h2 id="archives">
        Frozen boards <small>of finished periods; they never change</small>
      </h2>
      <Tabs
        label="Length of the periods"
        name="archive"
        options={KINDS}
        value={kind}
        choose={(one) => go(archivePath('/leaderboard', search, one), { replace: true })}
      />
      {data === null ? (
        <Pending error={error} again={refresh} />
      ) : data.leaderboardArchives.nodes.length === 0 ? (
        <Empty>No {kind} is over yet in which a round was decided.</Empty>
      ) : (
        <ul class="archives">
          {data.leaderboardArchives.nodes.map(({ period: name, rounds, agents }) => (
            <li key={name}>
              <a href={frozenPath(name)}>{name}</a>{' '}
              <small>
                {counted(rounds, 'round')}, {counted(agents, 'agent')}
              </small>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
