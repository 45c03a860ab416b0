import type { ComponentChildren } from 'preact';

import { signedUsd } from '../figures.ts';

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

/** An answer, and whether it was right once that is known. */
export function Answer({
  of,
}: {
  readonly of: { readonly prediction: string | null; readonly isCorrect: number | null };
}) {
  return (
    <td>
      {of.prediction} {of.isCorrect == null ? '' : of.isCorrect === 1 ? <b class="right">✓</b> : <b class="wrong">✗</b>}
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
  readonly all: readonly One[];
  /** Whose, or of what, a call is. */
  readonly link: (call: One) => ComponentChildren;
}

const MOST_EXTREMES = 3;

/** Which of the predictions earned most, and which lost most: by profit and loss, so the best gained and the worst lost. */
export function Extremes<One extends Call>({ what, all, link }: ExtremesProps<One>) {
  const order = all.toSorted((one, other) => (other.pnlUsd ?? 0) - (one.pnlUsd ?? 0));
  const best = order.filter(({ pnlUsd }) => (pnlUsd ?? 0) > 0);
  const worst = order.filter(({ pnlUsd }) => (pnlUsd ?? 0) < 0).toReversed();
  if (best.length + worst.length === 0) return null;
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
      {list(`Best ${what}`, best)}
      {list(`Worst ${what}`, worst)}
    </section>
  );
}
