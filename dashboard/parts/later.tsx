import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';

import type { HourDiagramsProps } from '../charts/hour.tsx';
import type { BelowHourProps } from './below-hour.tsx';
import { useBack, useSession } from '../session.ts';
import { Loading } from './notes.tsx';

/*
 * The parts whose code comes after the first sight. Without it the page still says all else, and tries again when the service
 * is back within reach.
 */

const loadBelow = () => import('./below-hour.tsx');
const loadDiagrams = () => import('../charts/hour.tsx');

/** What is below the first sight, which a brief drawing leaves out. */
export function Below({ children }: { readonly children: ComponentChildren }) {
  return useSession().isBrief ? null : <>{children}</>;
}

/** What is below the hour being played, whose code comes after the question is shown. */
export function BelowHour(props: BelowHourProps) {
  const later = useLater(loadBelow);
  return later ? <later.BelowHour {...props} /> : <Loading />;
}

/** How good the arena's forecast has been. */
export function ArenaRecord() {
  const later = useLater(loadBelow);
  return <div class="record">{later && <later.ArenaRecord />}</div>;
}

/** An hour in two diagrams, whose code comes after the question, the time that is left and the crowd are shown. */
export function HourDiagrams(props: HourDiagramsProps) {
  const later = useLater(loadDiagrams);
  return <div class="diagrams">{later && <later.HourDiagrams {...props} />}</div>;
}

/** The code of a part; null until it is there. `load` is the same function each time. */
export function useLater<Code>(load: () => Promise<Code>): Code | null {
  const { code } = useSession();
  const [loaded, setLoaded] = useState({ code: code.atHand(load) });
  const fetchIt = useCallback((): void => {
    code.fetch(load).then(
      (found) => setLoaded({ code: found }),
      () => {},
    );
  }, [load]);
  useEffect(fetchIt, [fetchIt]);
  useBack(fetchIt);
  return loaded.code;
}
