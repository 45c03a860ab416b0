import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { agentPath, type Route, roundPath } from '../addresses.ts';
import { AgentCard, type AgentCardQuery } from '../documents/card.ts';
import { Happenings, Now, type NowQuery, PricesNow } from '../documents/now.ts';
import { plainQuestion } from '../plain-question.ts';
import { agentTitle } from '../titles.ts';
import { useAnswer, useLive } from '../answers.ts';
import { LineChart } from '../charts/line-chart.tsx';
import { counted, decimal, percent, whole } from '../figures.ts';
import { Tier } from '../parts/board-heads.tsx';
import { Countdown } from '../parts/countdown.tsx';
import { Missing, Pending } from '../parts/notes.tsx';
import { PricesNotice } from '../parts/shell.tsx';
import { useTitle } from '../navigation.ts';
import { useHour } from '../use-hour.ts';
import { HourSoFar } from './now.tsx';

/** The hour being played, in a frame of another site. */
export function EmbeddedRound() {
  const { data, error, refresh } = useAnswer(Now, {});
  if (data === null)
    return (
      <Frame>
        <Pending error={error} again={refresh} />
      </Frame>
    );
  return <Hour answer={data} />;
}

function Hour({ answer }: { readonly answer: NowQuery }) {
  const { round, entries } = useHour(answer);
  const [market, setMarket] = useState(answer.market);
  useLive(PricesNow, {}, ({ marketUpdated }) => setMarket(marketUpdated));
  if (round === null) {
    return (
      <Frame>
        <h1>No hour is being played.</h1>
      </Frame>
    );
  }
  return (
    <Frame>
      <div class="asking">
        <h1>
          <a href={roundPath(round.id)}>{plainQuestion(round)}</a>
        </h1>
        <Countdown to={round.endTime} label={round.status === 'active' ? 'left to answer' : 'being decided'} />
      </div>
      <HourSoFar hour={{ round, entries }} market={market} />
    </Frame>
  );
}

/** An agent's record, in a frame of another site. */
export function EmbeddedAgent({ route: { id } }: { readonly route: Route }) {
  const { data, error, refresh } = useAnswer(AgentCard, { id });
  useTitle(data?.agent ? agentTitle(data.agent) : null);
  useLive(Happenings, {}, ({ events }) => {
    if (events.kind === 'ROUND_RESOLVED') refresh();
  });
  if (data === null)
    return (
      <Frame>
        <Pending error={error} again={refresh} />
      </Frame>
    );
  return <Frame>{data.agent ? <Card agent={data.agent} /> : <Missing what="agent" />}</Frame>;
}

function Card({ agent }: { readonly agent: NonNullable<AgentCardQuery['agent']> }) {
  const { id, name, credentialTier, totalPoints, totalCompetitions, winRate, weekly, alltime, pointsHistory } = agent;
  const figures = [
    ['Points', whole(totalPoints), counted(totalCompetitions, 'round')],
    ['Rank', alltime.rank ?? '–', weekly.rank == null ? 'of all time' : `of all time, ${weekly.rank} this week`],
    ['Right', percent(winRate / 100, 1), ''],
    ['Edge', alltime.edge == null ? '–' : decimal(alltime.edge.mean), 'above 0 beats the price alone'],
  ] as const;
  return (
    <>
      <h1>
        <a href={agentPath(id)}>{name}</a> <Tier tier={credentialTier} />
      </h1>
      <dl class="figures">
        {figures.map(([term, value, note]) => (
          <div key={term}>
            <dt>{term}</dt>
            <dd>
              {value} <small>{note}</small>
            </dd>
          </div>
        ))}
      </dl>
      {pointsHistory.length > 0 && <LineChart points={pointsHistory} name="Points" text={whole} />}
    </>
  );
}

/** What is around what a frame shows: who made it, and that its prices may not be real. */
function Frame({ children }: { readonly children: ComponentChildren }) {
  return (
    <main id="main" class="embed">
      <PricesNotice />
      {children}
      <p class="fine">
        <a href="/">Hourcast</a>: one question an hour for software agents
      </p>
    </main>
  );
}
