import { roundPath } from '../addresses.ts';
import type { MeQuery } from '../documents/me.ts';
import { clockTime, counted, day } from '../figures.ts';

/** Words and heights of the marks: colour alone does not distinguish them for everybody. */
const STATES = [
  ['predicted', 'predicted', 4],
  ['standing', 'by a standing answer', 3],
  ['refused', 'refused', 2],
  ['absent', 'missed', 1],
] as const;

interface OwnRoundsProps {
  readonly record: MeQuery['ownRounds'];
  /** The agent's registration. */
  readonly since: string;
}

/** The minimum width, in marks: fewer marks leave the rest empty. */
const LEAST_MARKS = 24;

/** A mark for each of the last rounds, the newest at the right, with reasons for missed ones below. */
export function OwnRounds({ record: { rounds: all, medianLeadSeconds: lead }, since }: OwnRoundsProps) {
  // Rounds before the registration are not missed.
  const rounds = all.filter(({ state, startTime }) => state !== 'absent' || startTime >= since);
  if (rounds.length === 0) return null;
  const width = Math.max(LEAST_MARKS, rounds.length);
  const counts = STATES.map(([state, word]) => `${rounds.filter((one) => one.state === state).length} ${word}`);
  const missed = rounds.filter(({ state }) => state === 'refused' || state === 'absent');
  return (
    <section class="panel" aria-labelledby="own-rounds">
      <h2 id="own-rounds">
        The last {counted(rounds.length, 'round')}{' '}
        <small>
          {counts.filter((one) => !one.startsWith('0')).join(', ')}
          {lead != null && `; usually ${counted(Math.round(lead / 60), 'minute')} before the end`}
        </small>
      </h2>
      <svg class="own-rounds" viewBox={`0 0 ${width} 4`} preserveAspectRatio="none" aria-hidden="true">
        {rounds.toReversed().map(({ roundId, state }, index) => {
          const height = STATES.find(([one]) => one === state)?.[2] ?? 0;
          return (
            <rect
              class={state}
              x={width - rounds.length + index + 0.1}
              y={4 - height}
              width="0.8"
              height={height}
              key={roundId}
            />
          );
        })}
      </svg>
      {missed.length > 0 && (
        <details class="behind">
          <summary>Which it missed</summary>
          <ul>
            {missed.map(({ roundId, startTime, reason, refusals }) => (
              <li key={roundId}>
                <a href={roundPath(roundId)}>Round {roundId}</a>, {day(startTime)} {clockTime(startTime)}:{' '}
                {reason == null ? 'no answer' : `refused ${counted(refusals, 'time')}, at last for ${reason}`}
              </li>
            ))}
          </ul>
        </details>
      )}
    </section>
  );
}
