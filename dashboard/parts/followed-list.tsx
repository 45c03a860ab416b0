import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { agentPath, frozenPath } from '../addresses.ts';
import { useAnswer, useHappenings } from '../answers.ts';
import type { HoldersQuery } from '../documents/boards.ts';
import { Followed } from '../documents/followed.ts';
import { followed } from '../followed.ts';
import { decimal, whole } from '../figures.ts';
import { frozenTitle } from '../period-title.ts';
import type { Period } from '../../src/rules/windows.ts';
import { Cite, FrameCode } from './copied.tsx';
import { SinceVisit } from './following.tsx';

// One file for all that the boards load later.
export { BoardFacts } from './board-facts.tsx';
export { OwnAgent } from './own-result.tsx';
export { FrameCode };

interface CiteBoardProps {
  readonly frozen: HoldersQuery['leaderboardArchives']['nodes'][number] | undefined;
  readonly children: ComponentChildren;
}

/** The newest frozen board: a live one is another an hour later. */
export function CiteBoard({ frozen, children }: CiteBoardProps) {
  return (
    <Cite {...(frozen && { title: frozenTitle(frozen), path: frozenPath(frozen.period), at: frozen.frozenAt })}>
      {children}
    </Cite>
  );
}

/** The document's maximum: the newest. */
const MOST = 20;

/** Agents that this browser follows, with their figures in a window. */
export function FollowedList({ period }: { readonly period: Period }) {
  // Showing them changes when they were seen: the choice stays that of the first time.
  const [known] = useState(() =>
    Object.entries(followed())
      .toSorted(([, one], [, other]) => other.since[0] - one.since[0])
      .slice(0, MOST)
      .map(([id, { name }]) => ({ id: Number(id), name, standing: null })),
  );
  return known.length === 0 ? null : <List {...{ known, period }} />;
}

interface ListProps {
  readonly known: readonly { readonly id: number; readonly name: string; readonly standing: null }[];
  readonly period: Period;
}

/** By their kept names until the answer is there. */
function List({ known, period }: ListProps) {
  const { data, refresh } = useAnswer(Followed, { ids: known.map(({ id }) => id), period });
  useHappenings(refresh);
  return (
    <section class="panel followed" aria-labelledby="followed">
      <h2 id="followed">
        Followed <small>in this browser</small>
      </h2>
      <ul>
        {(data?.agents.nodes ?? known).map((agent) => {
          const { rank, totalPoints, edge } = agent.standing ?? {};
          return (
            <li key={agent.id}>
              <a href={agentPath(agent.id)}>{agent.name}</a>
              <span>
                {rank && `Rank ${rank}, ${whole(totalPoints ?? 0)} points`}
                {edge && `, edge ${decimal(edge.mean)}`}
              </span>
              <small>{agent.standing && <SinceVisit agent={agent} />}</small>
            </li>
          );
        })}
      </ul>
    </section>
  );
}
