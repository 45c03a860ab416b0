import { useState } from 'preact/hooks';

import { agentPath } from '../addresses.ts';
import { type CallFragment, RoundCalls, type RoundPageQuery, RoundWords } from '../documents/round.ts';
import { clockTime, signed, signedUsd, whole } from '../figures.ts';
import { useSession } from '../session.ts';
import { FormEnd, More, useAttempt } from './form.tsx';
import { Empty } from './notes.tsx';
import { Answer, Heads, Scroll } from './tables.tsx';

type Round = NonNullable<RoundPageQuery['round']>;

/** By rank once decided, a hundred at a time. */
export function RoundPredictions({ round }: { readonly round: Round }) {
  const { ask } = useSession();
  const { id, status, totalEntries, archived, amendments, results, entries } = round;
  if (status === 'upcoming') return null;
  if (totalEntries === 0) return <Empty>Nobody has answered {status === 'active' ? 'yet' : 'this one'}.</Empty>;
  if (archived) return <Empty>The {whole(totalEntries)} answers are in an archive.</Empty>;
  const isResolved = status === 'resolved';
  const orderBy = isResolved ? 'PLACE' : 'OLDEST';
  return (
    <section class="panel" aria-labelledby="predictions">
      <More
        first={isResolved ? results : entries}
        of={`${orderBy} ${amendments.length}`}
        next={async (after) => (await ask(RoundCalls, { id, after, orderBy })).round?.predictions}
        text="Next 100"
        grows={(known) => status === 'active' && known < totalEntries}
      >
        {(calls) => (
          <>
            <h2 id="predictions">
              {isResolved ? 'Results' : 'Entries'}{' '}
              {calls.length < totalEntries && (
                <small>
                  {whole(calls.length)} of {whole(totalEntries)}
                </small>
              )}
            </h2>
            <Calls round={id} calls={calls} />
          </>
        )}
      </More>
    </section>
  );
}

function Calls({ round, calls }: { readonly round: number; readonly calls: readonly CallFragment[] }) {
  return (
    <Scroll label="Table: predictions">
      <table>
        <Heads
          of={[
            ['#'],
            ['Agent'],
            ['Answer'],
            ['Sure', 'number'],
            ['At', 'number wide'],
            ['Score', 'number'],
            ['Sim P&L', 'number'],
            ['Arena points', 'number wide'],
          ]}
        />
        <tbody>
          {calls.map((call) => (
            <tr key={call.id}>
              <td class="rank">{call.place ?? ''}</td>
              <th scope="row">
                <a href={agentPath(call.agentId)}>{call.agentName}</a>
                {call.model && <small class="words">{call.model}</small>}
                {call.rationaleLength && <Why round={round} call={call.id} />}
              </th>
              <Answer of={call} />
              <td class="number">{call.confidence === null ? 'sealed' : `${call.confidence} %`}</td>
              <td class="number wide">{clockTime(call.submittedAt)}</td>
              <td class="number strong">{call.score == null ? '–' : signed(call.score + (call.streakBonus ?? 0))}</td>
              <td class="number">{call.pnlUsd == null ? '–' : signedUsd(call.pnlUsd)}</td>
              <td class="number wide">{call.arenaPoints ?? '–'}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

/** Rationale and model, loaded on request; without scripts a link to the round's. */
function Why({ round, call }: { readonly round: number; readonly call: number }) {
  const { ask } = useSession();
  const [words, setWords] = useState<string | null>(null);
  const loading = useAttempt();
  const load = async (): Promise<void> => {
    const found = (await ask(RoundWords, { id: round, before: call - 1 })).round?.entries[0];
    setWords(found?.rationale ?? 'Nothing is shown of it any more.');
  };
  return (
    <details
      onToggle={() => {
        if (words === null && !loading.isTrying) void loading.attempt(load);
      }}
    >
      <summary>Why</summary>
      {words === null ? (
        loading.problem === null ? (
          <a href={`/api/export/rationales.ndjson?round_id=${round}`}>All words of this round</a>
        ) : (
          <FormEnd of={loading} act={load} text="Try again" />
        )
      ) : (
        <bdi class="words">{words}</bdi>
      )}
    </details>
  );
}
