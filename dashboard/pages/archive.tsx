import { frozenPath, type Route } from '../addresses.ts';
import { useAnswer } from '../answers.ts';
import { Archive, type ArchiveQuery } from '../documents/archive.ts';
import { counted } from '../figures.ts';
import { Empty, Pending } from '../parts/notes.tsx';
import { monthTitle } from '../period-title.ts';

/** A calendar of finished days, weeks and months with their boards. */
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
      <p class="lead">
        The board of each finished day, week and month, as it was then. An amendment of a round does not change it.
      </p>
      {data === null ? <Pending error={error} again={refresh} /> : <Calendar answer={data} />}
    </div>
  );
}

function Calendar({ answer: { days, weeks, months } }: { readonly answer: ArchiveQuery }) {
  if (days.nodes.length === 0) return <Empty>No day is over yet in which a round was decided.</Empty>;
  const weekOf = new Map(weeks.nodes.map(({ period, startTime }) => [startTime.slice(0, 10), period]));
  const frozen = new Set(months.nodes.map(({ period }) => period));
  const byMonth = [...Map.groupBy(days.nodes, ({ period }) => period.slice(0, 7))];
  return (
    <>
      <div class="calendars">
        {byMonth.map(([month, own]) => (
          <Month key={month} {...{ month, days: own, weekOf }} hasBoard={frozen.has(month)} />
        ))}
      </div>
      {days.pageInfo.hasNextPage && (
        <p>
          <a href={`/archive?after=${days.pageInfo.endCursor ?? ''}`}>Earlier days</a>
        </p>
      )}
    </>
  );
}

type Day = ArchiveQuery['days']['nodes'][number];

interface MonthProps {
  readonly month: string;
  readonly hasBoard: boolean;
  readonly days: readonly Day[];
  /** Weeks with a board, by their Mondays. */
  readonly weekOf: ReadonlyMap<string, string>;
}

const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];
const DAY_MS = 86_400_000;

function Month({ month, hasBoard, days, weekOf }: MonthProps) {
  const known = new Map(days.map((one) => [one.period, one]));
  const title = monthTitle(month);
  return (
    <section class="panel" aria-label={title}>
      <h2>{hasBoard ? <a href={frozenPath(month)}>{title}</a> : title}</h2>
      <table class="calendar">
        <caption class="visually-hidden">Days and weeks of {title} that have a board</caption>
        <thead>
          <tr>
            {WEEKDAYS.map((name) => (
              <th scope="col" key={name}>
                {name}
              </th>
            ))}
            <th scope="col">Week</th>
          </tr>
        </thead>
        <tbody>
          {weeksOf(month).map((dates) => (
            <tr key={dates[0]}>
              {dates.map((date) => (
                <td key={date}>{date.startsWith(month) && <DateCell date={date} day={known.get(date)} />}</td>
              ))}
              <td>
                <WeekCell period={weekOf.get(dates[0] ?? '')} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function WeekCell({ period }: { readonly period: string | undefined }) {
  return period === undefined ? null : <a href={frozenPath(period)}>{period.slice(5)}</a>;
}

function DateCell({ date, day }: { readonly date: string; readonly day: Day | undefined }) {
  const number = Number(date.slice(8));
  if (day === undefined) return <>{number}</>;
  return (
    <a href={frozenPath(date)} title={`${counted(day.rounds, 'round')}, ${counted(day.agents, 'agent')}`}>
      {number}
    </a>
  );
}

/** Seven dates for each week that the month touches, from Monday on. */
function weeksOf(month: string): string[][] {
  const first = new Date(`${month}-01T00:00Z`);
  const next = new Date(first);
  next.setUTCMonth(next.getUTCMonth() + 1);
  const weeks: string[][] = [];
  for (let at = first.getTime() - ((first.getUTCDay() + 6) % 7) * DAY_MS; at < next.getTime(); at += 7 * DAY_MS)
    weeks.push(WEEKDAYS.map((_, index) => new Date(at + index * DAY_MS).toISOString().slice(0, 10)));
  return weeks;
}
