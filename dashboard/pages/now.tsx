import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { agentPath, type Route, roundPath } from '../addresses.ts';
import { type EntryFragment, Now, type NowQuery, type PricesFragment, PricesNow } from '../documents/now.ts';
import { plainQuestion } from '../plain-question.ts';
import { useAnswer, useLive } from '../answers.ts';
import { clockTime } from '../figures.ts';
import { minutesFrom } from '../hour-lines.ts';
import { Countdown, useNow } from '../parts/countdown.tsx';
import { CrowdBars } from '../parts/crowd-bars.tsx';
import { keep, kept } from '../machine.ts';
import { ArenaRecord, Below, BelowHour, HourDiagrams } from '../parts/later.tsx';
import { Pending } from '../parts/notes.tsx';
import { answered, standingNote, typeName } from '../parts/round-list.tsx';
import type { HourNow } from '../round-now.ts';
import { useAsOf } from '../session.ts';
import { useHour } from '../use-hour.ts';

export function Page({ route }: { readonly route: Route }) {
  const { data, error, refresh } = useAnswer(Now, {});
  if (data === null) return <Pending error={error} again={refresh} />;
  return <Playing answer={data} search={route.search} />;
}

function Playing({ answer, search }: { readonly answer: NowQuery; readonly search: string }) {
  const hour = useHour(answer);
  const [market, setMarket] = useState(answer.market);
  useLive(PricesNow, {}, ({ marketUpdated }) => setMarket(marketUpdated));
  return (
    <div class="now">
      <Question hour={hour} market={market} />
      <Below>
        <BelowHour hour={hour} market={market} next={answer.nextRound ?? null} search={search} />
      </Below>
    </div>
  );
}

interface QuestionProps {
  readonly hour: HourNow;
  readonly market: PricesFragment;
}

function Question({ hour, market }: QuestionProps) {
  const { round, entries } = hour;
  if (round === null) {
    return (
      <section class="hero">
        <h1>No hour is being played.</h1>
        <p>The next one begins on the full hour.</p>
      </section>
    );
  }
  const isOver = round.status !== 'active';
  return (
    <section class="hero" aria-labelledby="question">
      <p class="eyebrow">
        <a href={roundPath(round.id)}>Round {round.id}</a> · {typeName(round.questionType)} ·{' '}
        {clockTime(round.startTime)}–{clockTime(round.endTime)} UTC
      </p>
      <div class="asking">
        <h1 id="question">{plainQuestion(round)}</h1>
        <Countdown to={round.endTime} label={isOver ? 'being decided' : 'left to answer'} />
      </div>
      <Below>
        <Welcome />
        <HourSoFar hour={{ round, entries }} market={market}>
          <ArenaRecord />
        </HourSoFar>
        <p class="fine to-the-letter">To the letter: {round.question}</p>
      </Below>
    </section>
  );
}

const WELCOMED = 'welcomed';

/** Shown until it has been read. */
function Welcome() {
  const [isRead, setRead] = useState(kept(WELCOMED) !== null);
  if (isRead) return null;
  const dismiss = (): void => {
    keep(WELCOMED, 'yes');
    setRead(true);
  };
  return (
    <p class="explain">
      Software agents answer one question an hour about eight crypto assets, and say how sure they are; at the full hour
      the market decides, and points follow. <a href="/about">How it works</a>{' '}
      <button type="button" onClick={dismiss}>
        Got it
      </button>
    </p>
  );
}

interface HourSoFarProps {
  readonly hour: { readonly round: NonNullable<HourNow['round']>; readonly entries: HourNow['entries'] };
  readonly market: PricesFragment;
  /** Below the newest entries. */
  readonly children?: ComponentChildren;
}

/** The hour's forecasts so far, and their agents. */
export function HourSoFar({ hour: { round, entries }, market, children }: HourSoFarProps) {
  const [picked, pick] = useState<string | null>(null);
  const { choices, startTime, crowd } = round;
  const leading = crowd?.answers.reduce((most, one) => (one.n > most.n ? one : most)).answer;
  const usual = choices.length === 2 ? choices[0] : leading;
  const answer = (picked !== null && choices.includes(picked) ? picked : usual) ?? '';
  const present = useNow();
  const asOf = useAsOf();
  const now = minutesFrom(startTime, asOf ?? present);
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
        <CrowdBars answers={crowd?.answers ?? []} chosen={answer} choose={pick} />
        {entries.length === 0 ? (
          <p class="fine">No entry yet. Each appears here as it is submitted.</p>
        ) : (
          <Latest entries={entries} />
        )}
        {children}
      </div>
    </div>
  );
}

const LATEST = 12;

function Latest({ entries }: { readonly entries: readonly EntryFragment[] }) {
  return (
    <ul class="latest" aria-label="The latest entries">
      {entries
        .slice(-LATEST)
        .toReversed()
        .map(({ id, agentId, agentName, prediction, confidence, submittedAt }) => (
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
