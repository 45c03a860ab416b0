import type { ComponentChildren } from 'preact';

import { chosen } from '../answered.ts';
import type { EntryFragment, LiveRoundFragment } from '../documents/now.ts';

export interface DaringProps {
  readonly entries: readonly EntryFragment[];
  readonly crowd: LiveRoundFragment['crowd'];
  readonly list: (label: string, entries: readonly EntryFragment[]) => ComponentChildren;
}

/** The entries that are surest of an answer that few chose. */
export function Daring({ entries, crowd, list }: DaringProps) {
  const against = ({ prediction, confidence, standing }: EntryFragment): number => {
    const share = chosen(crowd, prediction) / (crowd?.n || 1);
    return standing || share >= 0.5 ? 0 : (confidence ?? 0) / 100 - share;
  };
  const daring = entries.filter((one) => against(one) > 0);
  if (daring.length === 0) return null;
  const label = 'Most daring: surest of what few chose';
  return (
    <>
      <h3>{label}</h3>
      {list(label, daring.toSorted((one, other) => against(other) - against(one)).slice(0, 3))}
    </>
  );
}
