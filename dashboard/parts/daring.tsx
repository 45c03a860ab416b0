import type { ComponentChildren } from 'preact';

import type { EntryFragment, LiveRoundFragment } from '../documents/now.ts';

export interface DaringProps {
  readonly entries: readonly EntryFragment[];
  readonly crowd: LiveRoundFragment['crowd'];
  readonly list: (label: string, entries: readonly EntryFragment[]) => ComponentChildren;
}

const SHOWN = 3;

/** The entries that are surest of an answer that few chose. */
export function Daring({ entries, crowd, list }: DaringProps) {
  const against = ({ prediction, confidence }: EntryFragment): number =>
    (confidence ?? 0) / 100 - (crowd?.answers.find(({ answer }) => answer === prediction)?.n ?? 0) / (crowd?.n || 1);
  const daring = entries.filter((one) => !one.standing && against(one) > 0);
  if (daring.length === 0) return null;
  const label = 'Most daring: sure of what few chose';
  return (
    <>
      <h3>{label}</h3>
      {list(label, daring.toSorted((one, other) => against(other) - against(one)).slice(0, SHOWN))}
    </>
  );
}
