import type { ComponentType } from 'preact';
import { useEffect, useState } from 'preact/hooks';

import type { HourDiagramsProps } from '../charts/hour.tsx';

/** An hour in two diagrams, whose code comes after the question, the time that is left and the crowd are shown. */
export function HourDiagrams(props: HourDiagramsProps) {
  const [Diagrams, setDiagrams] = useState<ComponentType<HourDiagramsProps> | null>(null);
  useEffect(() => {
    // Without it the page still says all else; the next visit tries again.
    import('../charts/hour.tsx').then(
      (module) => setDiagrams(() => module.HourDiagrams),
      () => {},
    );
  }, []);
  return <div class="diagrams">{Diagrams && <Diagrams {...props} />}</div>;
}
