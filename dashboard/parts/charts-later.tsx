import type { LineChartProps } from '../charts/line-chart.tsx';
import { useLater } from './later.tsx';

/* Charts whose code comes after the page's texts and figures. Their places are kept, so that nothing moves. */

const loadLine = () => import('../charts/line-chart.tsx');

/** `charts/line-chart.tsx`, a moment later. */
export function LineChart(props: LineChartProps) {
  const later = useLater(loadLine);
  return later ? <later.LineChart {...props} /> : <Place height={220} />;
}

/** As high as the chart and the line below it that opens its table. */
function Place({ height }: { readonly height: number }) {
  return <div style={{ height: `calc(${height}px + 1.75rem)` }} />;
}
