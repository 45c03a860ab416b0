import { useState } from 'preact/hooks';

import type { RoundPageQuery } from '../documents/round.ts';
import { minutesFrom } from '../figures.ts';
import { useNow } from './countdown.tsx';
import { CrowdBars } from './crowd-bars.tsx';
import { useAsOf } from '../session.ts';
import { HourDiagrams } from './later.tsx';
import { answered, standingNote } from '../answered.ts';

type Round = NonNullable<RoundPageQuery['round']>;

const END = 60;

/** A slider replays the hour minute by minute. */
export function RoundHour({ round }: { readonly round: Round }) {
  const { choices, startTime, outcome, crowd } = round;
  const [picked, pick] = useState<string | null>(null);
  const [until, setUntil] = useState(END);
  const clock = useNow();
  const asOf = useAsOf();
  const present = round.status === 'active' ? Math.min(END, minutesFrom(startTime, asOf ?? clock)) : END;
  const now = Math.min(until, present);
  const answer = picked ?? outcome ?? choices[0] ?? '';
  return (
    <section class="panel replay" aria-labelledby="hour">
      <h2 id="hour">
        <span>
          How likely {round.status === 'active' ? 'is' : 'was'} <em>{answer}</em>?
        </span>{' '}
        <small>minute {Math.floor(now)}</small>
      </h2>
      <div class="so-far">
        <div class="chart">
          <HourDiagrams round={round} entries={round.entries.nodes} answer={answer} now={now} market={null} />
          <label class="slider">
            <span>Replay the hour</span>
            <input
              type="range"
              min={0}
              max={END}
              step={0.25}
              value={until}
              onInput={(event) => setUntil(Number(event.currentTarget.value))}
            />
          </label>
        </div>
        <div class="crowd">
          <h3>
            Answers <small>{answered(round) + standingNote(round)}</small>
          </h3>
          {crowd && <CrowdBars answers={crowd.answers} chosen={answer} choose={pick} outcome={outcome ?? null} />}
        </div>
      </div>
    </section>
  );
}
