import { frozenPath } from '../../addresses.ts';
import { archivePath } from '../../board-address.ts';
import { Archives } from '../../documents/boards.ts';
import type { ArchiveKind } from '../../documents/enums.ts';
import { useAnswer } from '../answers.ts';
import { counted } from '../figures.ts';
import { useNavigation } from '../place.ts';
import { Empty, Failed, Loading } from './notes.tsx';
import { Tabs } from './tabs.tsx';

const KINDS = [
  ['day', 'Days'],
  ['week', 'Weeks'],
  ['month', 'Months'],
] as const;

/** The newest boards of finished days, weeks or months, each with its page. */
export function ArchiveList({ kind, search }: { readonly kind: ArchiveKind; readonly search: string }) {
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
        error === null ? (
          <Loading />
        ) : (
          <Failed error={error} again={refresh} />
        )
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
