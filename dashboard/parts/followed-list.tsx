import { agentPath } from '../addresses.ts';
import { useAnswer, useLive } from '../answers.ts';
import { Followed } from '../documents/followed.ts';
import { Happenings } from '../documents/now.ts';
import { followed } from '../followed.ts';
import { decimal, whole } from '../figures.ts';
import type { Period } from '../../src/rules/windows.ts';
import { SinceVisit } from './following.tsx';

// One file for all that the boards load later.
export { Cite, FrameCode } from './copied.tsx';

/** The document's maximum. */
const MOST = 20;

/** Agents that this browser follows, with their figures in a window. */
export function FollowedList({ period }: { readonly period: Period }) {
  const ids = Object.keys(followed()).slice(-MOST).map(Number);
  return ids.length === 0 ? null : <List {...{ ids, period }} />;
}

function List(asked: { readonly ids: readonly number[]; readonly period: Period }) {
  const { data, refresh } = useAnswer(Followed, asked);
  useLive(Happenings, {}, refresh);
  return (
    <section class="panel followed" aria-labelledby="followed">
      <h2 id="followed">
        Followed <small>in this browser</small>
      </h2>
      <ul>
        {asked.ids.map((id) => {
          const agent = data?.agents.nodes.find((one) => one.id === id);
          const { rank, totalPoints, edge } = agent?.standing ?? {};
          return (
            <li key={id}>
              <a href={agentPath(id)}>{followed()[id]?.name}</a>
              <span>
                {rank && `Rank ${rank}, ${whole(totalPoints ?? 0)} points`}
                {edge && `, edge ${decimal(edge.mean)}`}
              </span>
              <small>{agent && <SinceVisit agent={agent} />}</small>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
