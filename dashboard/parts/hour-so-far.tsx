import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { agentPath } from '../addresses.ts';
import type { EntryFragment, PricesFragment } from '../documents/now.ts';
import { clockTime, minutesFrom } from '../figures.ts';
import type { HourNow } from '../round-now.ts';
import { useAsOf } from '../session.ts';
import { useNow } from './countdown.tsx';
import { CrowdBars } from './crowd-bars.tsx';
import { HourDiagrams } from './later.tsx';
import { answered, standingNote } from '../answered.ts';

interface HourSoFarProps {
  readonly hour: { readonly round: NonNullable<HourNow['round']>; readonly entries: HourNow['entries'] };
  readonly market: PricesFragment | null | undefined;
  /** Below the newest entries. */
  readonly children?: ComponentChildren;
}

/** The hour's forecasts so far, and their agents. */
export function HourSoFar({ hour: { round, entries }, market, children }: HourSoFarProps) {
  const [picked, pick] = useState('');
  const { choices, startTime, crowd } = round;
  const leading = choices.length > 2 && crowd?.answers.reduce((most, one) => (one.n > most.n ? one : most)).answer;
  const answer = choices.includes(picked) ? picked : leading || choices[0] || '';
  const present = useNow();
  const asOf = useAsOf();
  const now = Math.max(0, minutesFrom(startTime, asOf ?? present));
  return (
    <div class="so-far">
      <div class="chart">
        <h2>
          How likely is <em>{answer}</em>? {asOf !== null && <small>as of {clockTime(asOf)}</small>}
        </h2>
        <HourDiagrams round={round} entries={entries} answer={answer} now={now} market={market} />
      </div>
      <div class="crowd">
        <h2>
          Answers <small>{answered(round, 'entry', 'entries') + standingNote(round)}</small>
        </h2>
        {crowd && <CrowdBars answers={crowd.answers} chosen={answer} choose={pick} />}
        {entries.length === 0 ? (
          <p class="fine">No entry yet. Each appears here as it is submitted.</p>
        ) : (
          <Latest label="The latest entries" entries={entries.slice(-LATEST).toReversed()} />
        )}
        {children}
      </div>
    </div>
  );
}

const LATEST = 12;

export function Latest({ label, entries }: { readonly label: string; readonly entries: readonly EntryFragment[] }) {
  return (
    <ul class="latest" aria-label={label}>
      {entries.map(({ id, agentId, agentName, prediction, confidence, submittedAt }) => (
        <li key={id}>
          <time dateTime={submittedAt}>{clockTime(submittedAt)}</time>
          <a href={agentPath(agentId)}>{agentName}</a>
          <span>
            {prediction === null ? 'sealed' : <b>{prediction}</b>} {confidence === null ? '' : `${confidence} %`}
          </span>
        </li>
      ))}
    </ul>
  );
}
