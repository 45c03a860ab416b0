import { agentPath, frozenPath, roundPath, type Route } from '../addresses.ts';
import { useAnswer } from '../answers.ts';
import { Archive, type ArchiveQuery, type KeptFragment } from '../documents/archive.ts';
import { counted, day } from '../figures.ts';
import { Empty, Pending } from '../parts/notes.tsx';
import { rightShare } from '../answered.ts';
import { monthTitle } from '../period-title.ts';
import { plainQuestion } from '../plain-question.ts';

/** Finished days, each in a sentence, weeks and months with their boards. */
export function Page({ route: { search } }: { readonly route: Route }) {
  const after = new URLSearchParams(search).get('after');
  const { data, error, refresh } = useAnswer(Archive, { after });
  return (
    <div class="page">
      <header>
        <p class="eyebrow">
          <a href="/leaderboard">Leaderboard</a>
        </p>
        <h1>Frozen boards</h1>
      </header>
      <p class="lead">Each finished day, week and month as it was then. Amendments of rounds change none.</p>
      {data === null ? <Pending error={error} again={refresh} /> : <Shown answer={data} />}
    </div>
  );
}

function Records({ records: { longestStreak, biggestUpset, closestCall } }: Pick<ArchiveQuery, 'records'>) {
  return (
    <section class="panel" aria-labelledby="records">
      <h2 id="records">
        Records <small>streaks of all time, rounds of 30 days</small>
      </h2>
      <ul class="days">
        {longestStreak && (
          <li>
            <a href={agentPath(longestStreak.id)}>Longest streak</a> {longestStreak.name},{' '}
            {counted(longestStreak.bestStreak, 'right answer')} in a row
          </li>
        )}
        {biggestUpset && (
          <li>
            <a href={roundPath(biggestUpset.id)}>Biggest upset</a> {endOf(biggestUpset)} against the surest answers;{' '}
            {rightShare(biggestUpset)} were right
          </li>
        )}
        {closestCall && (
          <li>
            <a href={roundPath(closestCall.round.id)}>Closest call</a> {endOf(closestCall.round)}, by{' '}
            {closestCall.marginPct.toFixed(4)} %
          </li>
        )}
      </ul>
    </section>
  );
}

function endOf(round: KeptFragment): string {
  return `${plainQuestion(round)} ${round.outcome}`;
}

function Shown({ answer: { records, days, weeks, months } }: { readonly answer: ArchiveQuery }) {
  if (days.nodes.length === 0) return <Empty>No day is over yet in which a round was decided.</Empty>;
  const frozen = new Set(months.nodes.map(({ period }) => period));
  return (
    <>
      <Records records={records} />
      {[...Map.groupBy(days.nodes, ({ period }) => period.slice(0, 7))].map(([month, own]) => (
        <section class="panel" key={month} aria-labelledby={month}>
          <h2 id={month}>
            {monthTitle(month)} {frozen.has(month) && <a href={frozenPath(month)}>the month</a>}
          </h2>
          <ul class="days">
            {own.map(({ period, startTime, summary }) => (
              <li key={period}>
                <a href={frozenPath(period)}>{day(startTime)}</a> {summary}
              </li>
            ))}
          </ul>
        </section>
      ))}
      {weeks.nodes.length > 0 && (
        <p class="facts">
          Weeks:{' '}
          {weeks.nodes.map(({ period }) => (
            <a key={period} href={frozenPath(period)}>
              {period}
            </a>
          ))}
        </p>
      )}
      {days.pageInfo.hasNextPage && (
        <p>
          <a href={`/archive?after=${days.pageInfo.endCursor ?? ''}`}>Earlier days</a>
        </p>
      )}
    </>
  );
}
