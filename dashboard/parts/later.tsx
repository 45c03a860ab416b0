import type { ComponentChildren } from 'preact';
import { useCallback, useEffect, useState } from 'preact/hooks';

import type { HourDiagramsProps } from '../charts/hour.tsx';
import type { BelowHourProps } from './below-hour.tsx';
import type { DaringProps } from './daring.tsx';
import type { OwnResultProps } from './own-result.tsx';
import { useBack, useSession } from '../session.ts';
import { Loading } from './notes.tsx';

/* These parts load after the first ones are painted. If loading fails, the page shows the rest and retries when the service is back. */

const loadBelow = () => import('./below-hour.tsx');
/** Frames of other sites never load it. */
const loadKey = () => import('../kept-key.ts');
const loadDiagrams = () => import('../charts/hour.tsx');

/** A brief rendering omits it. */
export function Below({ children }: { readonly children: ComponentChildren }) {
  return useSession().isBrief ? null : <>{children}</>;
}

export function BelowHour(props: BelowHourProps) {
  const later = useLater(loadBelow);
  return later ? <later.BelowHour {...props} /> : <Loading />;
}

export function Daring(props: DaringProps) {
  const later = useLater(loadBelow);
  return <div class="daring">{later && <later.Daring {...props} />}</div>;
}

export function OwnResult(props: OwnResultProps) {
  const later = useLater(loadBelow);
  return later && <later.OwnResult {...props} />;
}

export function HourDiagrams(props: HourDiagramsProps) {
  const later = useLater(loadDiagrams);
  return <div class="diagrams">{later && <later.HourDiagrams {...props} />}</div>;
}

/** Marks the document of signed-in visitors. */
export function useSignedIn(): void {
  const key = useLater(loadKey);
  useEffect(() => key?.markSignedIn(), [key]);
}

/** Null until loaded. `load` must be the same function each time. */
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
