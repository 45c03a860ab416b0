import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { agentPath, type Route, roundPath } from '../addresses.ts';
import { type EntryFragment, Next, Now, type NowQuery, type PricesFragment, PricesNow } from '../documents/now.ts';
import { plainQuestion } from '../plain-question.ts';
import { useAnswer, useLive } from '../answers.ts';
import { change, clockTime, counted, price } from '../figures.ts';
import { minutesFrom } from '../hour-lines.ts';
import { Countdown, useNow } from '../parts/countdown.tsx';
import { CrowdBars } from '../parts/crowd-bars.tsx';
import { keep, kept } from '../machine.ts';
import { ArenaRecord, Below, HourDiagrams, Standings } from '../parts/later.tsx';
import { Empty, Pending } from '../parts/notes.tsx';
import { RoundList, typeName } from '../parts/round-list.tsx';
import type { HourNow } from '../round-now.ts';
import { useHour } from '../use-hour.ts';

/** The hour being played. */
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
        <section class="panel market" aria-labelledby="prices">
          <h2 id="prices">
            Prices <small>{market.stale ? 'out of date' : `${clockTime(market.timestamp)} UTC`}</small>
          </h2>
          <Prices market={market} asked={hour.round?.assets.map(({ symbol }) => symbol) ?? []} />
        </section>
        <Coming key={hour.round?.id ?? 0} first={answer.nextRound ?? null} after={hour.round?.startTime ?? ''} />
        <Standings search={search} />
        <section class="panel over" aria-labelledby="over">
          <h2 id="over">
            Hours that are over <a href="/rounds">all rounds</a>
          </h2>
          {hour.recent.length > 0 ? (
            <RoundList rounds={hour.recent} />
          ) : (
            <Empty>No hour has ended yet. The first one shows here a moment after the full hour.</Empty>
          )}
        </section>
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

/** What this is, until it has been read. */
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
  /** Below what the newest entries say. */
  readonly children?: ComponentChildren;
}

/** What is said through the hour so far, and by whom. */
export function HourSoFar({ hour: { round, entries }, market, children }: HourSoFarProps) {
  const [picked, pick] = useState<string | null>(null);
  const { choices, startTime, crowd } = round;
  const leading = crowd?.answers.reduce((most, one) => (one.n > most.n ? one : most)).answer;
  const usual = choices.length === 2 ? choices[0] : leading;
  const answer = (picked !== null && choices.includes(picked) ? picked : usual) ?? '';
  const now = minutesFrom(startTime, useNow());
  return (
    <div class="so-far">
      <div class="chart">
        <h2>
          How likely is <em>{answer}</em>?
        </h2>
        <HourDiagrams round={round} entries={entries} answer={answer} now={now} market={market} />
        {entries.length === 0 && <p class="none-yet">No entry yet. Each appears here as it is submitted.</p>}
      </div>
      <div class="crowd">
        <h2>
          Answers <small>{counted(round.totalEntries, 'entry', 'entries')}</small>
        </h2>
        <CrowdBars answers={crowd?.answers ?? []} chosen={answer} choose={pick} />
        <Latest entries={entries} />
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

interface ComingProps {
  readonly first: NowQuery['nextRound'] | null;
  /** When the hour being played began: what was next before is not next any more. */
  readonly after: string;
}

function Coming({ first, after }: ComingProps) {
  const isNext = (round: typeof first): boolean => round != null && round.startTime > after;
  const { data } = useAnswer(Next, {}, { first: isNext(first) ? { nextRound: first } : undefined });
  const next = data?.nextRound;
  if (!next || !isNext(next)) return null;
  return (
    <section class="panel coming" aria-labelledby="coming">
      <h2 id="coming">
        Next{' '}
        <small>
          at {clockTime(next.startTime)} UTC · {typeName(next.questionType)}
        </small>
      </h2>
      <p>{plainQuestion(next)}</p>
    </section>
  );
}

interface PricesProps {
  readonly market: PricesFragment;
  /** The assets that the round is about come first, and stand out unless they are all. */
  readonly asked: readonly string[];
}

const COLUMNS = ['Asset', 'USD', '1 h', '24 h'];

/** The present prices, the round's own assets first. */
export function Prices({ market, asked }: PricesProps) {
  const isAsked = (symbol: string): boolean => asked.includes(symbol);
  const rows = market.assets.toSorted((one, other) => Number(isAsked(other.symbol)) - Number(isAsked(one.symbol)));
  const marks = rows.some(({ symbol }) => !isAsked(symbol));
  return (
    <table class={`prices${market.stale ? ' stale' : ''}`}>
      <thead>
        <tr>
          {COLUMNS.map((name) => (
            <th scope="col">{name}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ symbol, priceUsd, change1h, change24h }) => (
          <tr class={marks && isAsked(symbol) ? 'about' : undefined} key={symbol}>
            <th scope="row">{symbol}</th>
            <td class="usd">{price(priceUsd)}</td>
            <Change pct={change1h} />
            <Change pct={change24h} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** A change with an arrow and a sign, so that its colour is not needed. */
function Change({ pct }: { readonly pct: number }) {
  const way = Math.abs(pct) < 0.005 ? 'flat' : pct > 0 ? 'up' : 'down';
  return (
    <td class={`change ${way}`}>
      <i aria-hidden="true">{{ up: '▲', down: '▼', flat: '■' }[way]}</i>
      {change(pct)}
    </td>
  );
}
