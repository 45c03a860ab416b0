import type { ComponentChildren } from 'preact';

import { counted, decimal, minuteOf, percent, signedUsd, whole } from '../figures.ts';

/** Content that scrolls if it is wider than the screen, also by keys. */
export function Scroll({ label, children }: { readonly label: string; readonly children: ComponentChildren }) {
  return (
    // Keyboards cannot scroll it without a tab stop.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <section class="scroll" tabIndex={0} aria-label={label}>
      {children}
    </section>
  );
}

/** A text, with its cells' class if there is one. */
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

/** Rank and agent, then `columns`; `wide` ones show on wide screens alone. */
export function BoardHeads({
  columns,
  hasLines = false,
}: {
  readonly columns: readonly { readonly name: string; readonly wide?: boolean }[];
  /** True: a small line of each agent's newest rounds comes first. */
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

/** An agent's edge beside the median minute of its answers: late answers alone earn points. */
export const EDGE = {
  name: 'Edge',
  text: ({ edge }: { readonly edge: { readonly mean: number } | null }) => (edge == null ? '–' : decimal(edge.mean)),
  small: ({ medianMinute }: { readonly medianMinute: number | null }) =>
    medianMinute == null ? null : `at ${minuteOf(medianMinute)}`,
};

export const EDGE_NOTE = ' Edge above 0 beats the price; at: median minute.';

/** `=3` if several share the third rank. */
export function rankText({ rank }: { rank: number }, rows: readonly { readonly rank: number }[]): string {
  return rows.filter((row) => row.rank === rank).length > 1 ? `=${rank}` : String(rank);
}

/** Everybody's first tier has no mark. */
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

/** An agent's main figures. */
export function agentFigures(agent: FiguredAgent): FiguresProps['of'] {
  const { weekly, alltime } = agent;
  return [
    ['Edge', alltime.edge == null ? '–' : decimal(alltime.edge.mean), 'above 0 beats the price alone'],
    ['Points', whole(agent.totalPoints)],
    ['Rank', alltime.rank ?? '–', weekly.rank == null ? 'of all time' : `of all time, ${weekly.rank} this week`],
    agent.totalCompetitions > 0
      ? [
          'Right',
          percent(agent.winRate / 100, 1),
          `of ${counted(agent.totalCompetitions, 'round')}, ${agent.currentStreak} in a row`,
        ]
      : ['Right', '–', 'no round scored yet'],
  ];
}

/** Name, value and small note of each figure. */
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

/** Marks default answers, and the right one once known. */
export function Answer({ of }: { readonly of: Given }) {
  return (
    <td>
      {of.prediction} {of.standing && <small>standing</small>}{' '}
      {of.isCorrect == null ? '' : of.isCorrect === 1 ? <b class="right">✓</b> : <b class="wrong">✗</b>}
    </td>
  );
}

interface Call {
  readonly id: number;
  readonly prediction: string | null;
  readonly confidence: number | null;
  readonly pnlUsd: number | null;
}

interface ExtremesProps<One extends Call> {
  /** Such as `rounds`. */
  readonly what: string;
  /** Candidates for the best, in this order. */
  readonly best: readonly One[];
  /** Candidates for the worst. */
  readonly worst: readonly One[];
  /** The call's agent or round. */
  readonly link: (call: One) => ComponentChildren;
}

const MOST_EXTREMES = 3;

/** The largest gain and the largest loss. */
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
