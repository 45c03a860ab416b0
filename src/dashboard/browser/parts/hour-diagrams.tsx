import type { HourDiagramsProps } from '../charts/hour.tsx';
import { useLater } from '../later.ts';

const load = () => import('../charts/hour.tsx');

/** An hour in two diagrams, whose code comes after the question, the time that is left and the crowd are shown. */
export function HourDiagrams(props: HourDiagramsProps) {
  const later = useLater(load);
  return <div class="diagrams">{later && <later.HourDiagrams {...props} />}</div>;
}
