import type { LineChartProps } from '../charts/line-chart.tsx';
import type { Moves } from '../market-moves.ts';
import { useLater } from './later.tsx';

/* Charts whose code comes after the page's texts and figures. Their places are kept, so that nothing moves. */

const loadLine = () => import('../charts/line-chart.tsx');
const loadBars = () => import('../charts/returns-bars.tsx');

/** `charts/line-chart.tsx`, a moment later. */
export function LineChart(props: LineChartProps) {
  const later = useLater(loadLine);
  return later ? <later.LineChart {...props} /> : <Place height={220} />;
}

/** `charts/returns-bars.tsx`, a moment later. */
export function ReturnsBars(props: Pick<Moves, 'rows' | 'turns'>) {
  const later = useLater(loadBars);
  return later ? <later.ReturnsBars {...props} /> : <Place height={props.rows.length * 30 + 12} />;
}

/** As high as the chart and the line below it that opens its table. */
function Place({ height }: { readonly height: number }) {
  return <div style={{ height: `calc(${height}px + 1.75rem)` }} />;
}
