import { useState } from 'preact/hooks';

import { followed, toggleFollowed, visited } from '../followed.ts';
import { counted, signed } from '../figures.ts';
import { useSession } from '../session.ts';

interface Sums {
  readonly id: number;
  readonly totalCompetitions: number;
  readonly totalPoints: number;
}

/** Follows the agent in this browser, which shows it first on the board. */
export function Follow({ agent }: { readonly agent: Sums & { readonly name: string } }) {
  const { id, name, totalCompetitions, totalPoints } = agent;
  const { clock } = useSession();
  const [isFollowed, setFollowed] = useState(id in followed());
  const toggle = (): void => {
    toggleFollowed(id, name, [clock.now(), totalCompetitions, totalPoints]);
    setFollowed(!isFollowed);
  };
  return (
    <p class="follow">
      <button type="button" aria-pressed={isFollowed} onClick={toggle}>
        <i aria-hidden="true">{isFollowed ? '★' : '☆'}</i> Follow
      </button>{' '}
      <small>{isFollowed && <SinceVisit agent={agent} />}</small>
    </p>
  );
}

/** The results of a followed agent since the previous visit of this browser, if there are any. */
export function SinceVisit({ agent: { id, totalCompetitions, totalPoints } }: { readonly agent: Sums }) {
  const { clock } = useSession();
  const [[, rounds, points]] = useState(() => visited(id, [clock.now(), totalCompetitions, totalPoints]));
  if (totalCompetitions === rounds) return null;
  return (
    <>
      Since your last visit: {counted(totalCompetitions - rounds, 'round')}, {signed(totalPoints - points)} points
    </>
  );
}
