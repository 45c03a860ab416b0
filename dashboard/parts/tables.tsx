import type { ComponentChildren } from 'preact';

import { counted, decimal, percent, signedUsd, whole } from '../figures.ts';

interface ScrollProps {
  readonly label: string;
  readonly children: ComponentChildren;
}

/** What may be wider than the screen, and then scrolls by itself, also by keys. */
export function Scroll({ label, children }: ScrollProps) {
  return (
    // Without a tab stop keys could not scroll it.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section class="scroll" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}

/** The heads of a table's columns: a text, with the class of its cells where they have one. */
export function Heads({ of }: { readonly of: readonly (readonly [text: string, cells?: string])[] }) {
  return (
    <thead>
      <tr>
        {of.map(([text, cells]) => (
          <th scope="col" class={cells} key={text}>
            {text}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** The heads of a board's columns: rank and agent, then `columns`; those that are `wide` show on wide screens alone. */
export function BoardHeads({
  columns,
  hasLines = false,
}: {
  readonly columns: readonly { readonly name: string; readonly wide?: boolean }[];
  /** Whether a small line of each agent's newest rounds stands before them. */
  readonly hasLines?: boolean;
}) {
  return (
    <thead>
      <tr>
        <th scope="col">
          <abbr title="Rank; = where it is shared">#</abbr>
        </th>
        <th scope="col">Agent</th>
        {hasLines && (
          <th scope="col" class="trend">
            <abbr title="Points in the last 30 rounds, added up">30 rounds</abbr>
          </th>
        )}
        {columns.map(({ name, wide = false }) => (
          <th scope="col" class={wide ? 'number wide' : 'number'} key={name}>
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}

/** `=3` where several share the third rank. */
export function rankText({ rank }: { rank: number }, rows: readonly { readonly rank: number }[]): string {
  return rows.filter((row) => row.rank === rank).length > 1 ? `=${rank}` : String(rank);
}

/** What an agent's record has earned; everybody's first tier needs no mark. */
export function Tier({ tier }: { readonly tier: string }) {
  return tier === 'bronze' ? null : <span class={`tier ${tier}`}>{tier}</span>;
}

interface FiguresProps {
  readonly of: readonly (readonly [term: string, value: ComponentChildren, note?: string])[];
  readonly isSmall?: boolean;
}

interface FiguredAgent {
  readonly totalPoints: number;
  readonly totalCompetitions: number;
  readonly winRate: number;
  readonly currentStreak: number;
  readonly weekly: { readonly rank: number | null };
  readonly alltime: { readonly rank: number | null; readonly edge: { readonly mean: number } | null };
}

/** What tells at a glance how an agent stands. */
export function agentFigures(agent: FiguredAgent): FiguresProps['of'] {
  const { weekly, alltime } = agent;
  return [
    ['Points', whole(agent.totalPoints)],
    ['Rank', alltime.rank ?? '–', weekly.rank == null ? 'of all time' : `of all time, ${weekly.rank} this week`],
    [
      'Right',
      percent(agent.winRate / 100, 1),
      `of ${counted(agent.totalCompetitions, 'round')}, ${agent.currentStreak} in a row`,
    ],
    ['Edge', alltime.edge == null ? '–' : decimal(alltime.edge.mean), 'above 0 beats the price alone'],
  ];
}

/** Figures beside each other: what each is called, its value, and a note in small letters. */
export function Figures({ of, isSmall = false }: FiguresProps) {
  return (
    <dl class={isSmall ? 'figures small' : 'figures'}>
      {of.map(([term, value, note]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>
            {value} <small>{note}</small>
          </dd>
        </div>
      ))}
    </dl>
  );
}

interface Given {
  readonly prediction: string | null;
  readonly isCorrect: number | null;
  readonly standing: boolean;
}

/** An answer, whether it was standing, and whether it was right once that is known. */
export function Answer({ of }: { readonly of: Given }) {
  return (
    <td>
      {of.prediction} {of.standing && <small>standing</small>}{' '}
      {of.isCorrect == null ? '' : of.isCorrect === 1 ? <b class="right">✓</b> : <b class="wrong">✗</b>}
    </td>
  );
}

/** One prediction that earned much, or lost much. */
interface Call {
  readonly id: number;
  readonly prediction: string | null;
  readonly confidence: number | null;
  readonly pnlUsd: number | null;
}

interface ExtremesProps<One extends Call> {
  /** Such as `rounds`. */
  readonly what: string;
  /** Those that may have earned most, in this order. */
  readonly best: readonly One[];
  /** Those that may have lost most. */
  readonly worst: readonly One[];
  /** Whose, or of what, a call is. */
  readonly link: (call: One) => ComponentChildren;
}

const MOST_EXTREMES = 3;

/** Which of the predictions earned most, and which lost most: the best gained and the worst lost. */
export function Extremes<One extends Call>({ what, best, worst, link }: ExtremesProps<One>) {
  const gains = best.filter(({ pnlUsd }) => (pnlUsd ?? 0) > 0);
  const losses = worst.filter(({ pnlUsd }) => (pnlUsd ?? 0) < 0);
  if (gains.length + losses.length === 0) return null;
  const list = (title: string, some: readonly One[]) =>
    some.length > 0 && (
      <div>
        <h3>{title}</h3>
        <ol class="calls">
          {some.slice(0, MOST_EXTREMES).map((call) => (
            <li key={call.id}>
              {link(call)}
              <span>
                {call.prediction} at {call.confidence} %
              </span>
              <b>{signedUsd(call.pnlUsd ?? 0)}</b>
            </li>
          ))}
        </ol>
      </div>
    );
  return (
    <section class="panel best" aria-label={`Best and worst ${what}`}>
      {list(`Best ${what}`, gains)}
      {list(`Worst ${what}`, losses)}
    </section>
  );
}
