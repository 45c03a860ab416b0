import { useState } from 'preact/hooks';

import { type Route, roundPath } from '../addresses.ts';
import { Now, type NowQuery, type PricesFragment } from '../documents/now.ts';
import { plainQuestion } from '../plain-question.ts';
import { useAnswer } from '../answers.ts';
import { clockTime } from '../figures.ts';
import { Countdown } from '../parts/countdown.tsx';
import { keep, kept } from '../machine.ts';
import { EndedHour } from '../parts/ended-hour.tsx';
import { HourSoFar, Latest } from '../parts/hour-so-far.tsx';
import { Below, BelowHour, Daring } from '../parts/later.tsx';
import { Pending } from '../parts/notes.tsx';
import { typeName } from '../parts/round-list.tsx';
import type { HourNow } from '../round-now.ts';
import { focusHeading } from '../navigation.ts';
import { useHour, useMarket } from '../use-hour.ts';

// One file with all that other pages show of the hour.
export { HourSoFar, useHour, useMarket };

export function Page({ route }: { readonly route: Route }) {
  const { data, error, refresh } = useAnswer(Now, {});
  if (data === null) return <Pending error={error} again={refresh} />;
  return <Playing answer={data} search={route.search} />;
}

function Playing({ answer, search }: { readonly answer: NowQuery; readonly search: string }) {
  const hour = useHour(answer);
  const market = useMarket();
  return (
    <div class="now">
      <Question hour={hour} market={market} />
      <Below>
        <BelowHour hour={hour} market={market} next={answer.nextRound ?? null} search={search} />
      </Below>
    </div>
  );
}

function Question({ hour, market }: { readonly hour: HourNow; readonly market: PricesFragment | null | undefined }) {
  const { round, entries } = hour;
  if (round === null) {
    return (
      <section class="hero">
        <EndedHour hour={hour} />
        <h1>No hour is being played.</h1>
        <p>The next one begins on the full hour.</p>
      </section>
    );
  }
  return (
    <section class="hero" aria-labelledby="question">
      <EndedHour hour={hour} />
      <p class="eyebrow">
        <a href={roundPath(round.id)}>Round {round.id}</a> · {typeName(round.questionType)} ·{' '}
        {clockTime(round.startTime)}–{clockTime(round.endTime)} UTC
      </p>
      <div class="asking">
        <h1 id="question">{plainQuestion(round)}</h1>
        <Countdown round={round} />
      </div>
      <Below>
        <Welcome />
        <HourSoFar hour={{ round, entries }} market={market}>
          <Daring
            entries={entries}
            crowd={round.crowd}
            list={(label, daring) => <Latest label={label} entries={daring} />}
          />
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
    focusHeading();
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
