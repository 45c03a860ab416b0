import { useState } from 'preact/hooks';

import { agentPath } from '../addresses.ts';
import type { RoundPageQuery } from '../documents/round.ts';
import { clockTime, signed, signedUsd } from '../figures.ts';
import { Empty } from './notes.tsx';
import { Answer, Heads, Scroll } from './tables.tsx';

type Round = NonNullable<RoundPageQuery['round']>;
type Calls = Round['predictions']['nodes'];

const MOST_SHOWN = 50;

/** Every prediction of a round, by place once there are places. */
export function RoundPredictions({ round, calls }: { readonly round: Round; readonly calls: Calls }) {
  const [isWhole, showWhole] = useState(false);
  if (round.status === 'upcoming') return null;
  if (calls.length === 0) return <Empty>Nobody has answered {round.status === 'active' ? 'yet' : 'this one'}.</Empty>;
  const order = calls.toSorted((one, other) => (one.place ?? 0) - (other.place ?? 0) || one.id - other.id);
  const shown = isWhole ? order : order.slice(0, MOST_SHOWN);
  return (
    <section class="panel" aria-labelledby="predictions">
      <h2 id="predictions">{round.status === 'resolved' ? 'Results' : 'Entries'}</h2>
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
            {shown.map((call) => (
              <tr key={call.id}>
                <td class="rank">{call.place ?? ''}</td>
                <th scope="row">
                  <a href={agentPath(call.agentId)}>{call.agentName}</a>
                  {call.model && <small class="words">{call.model}</small>}
                  {call.rationale && (
                    <details>
                      <summary>Why</summary>
                      <bdi class="words">{call.rationale}</bdi>
                    </details>
                  )}
                </th>
                <Answer of={call} />
                <td class="number">{call.confidence} %</td>
                <td class="number wide">{clockTime(call.submittedAt)}</td>
                <td class="number strong">{call.score == null ? '–' : signed(call.score + (call.streakBonus ?? 0))}</td>
                <td class="number">{call.pnlUsd == null ? '–' : signedUsd(call.pnlUsd)}</td>
                <td class="number wide">{call.arenaPoints ?? '–'}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
      {!isWhole && calls.length > MOST_SHOWN && (
        <button type="button" class="more" onClick={() => showWhole(true)}>
          All {calls.length}
        </button>
      )}
    </section>
  );
}
