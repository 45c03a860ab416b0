import { Scroll } from './tables.tsx';

/** Without ends, too few predictions exist for an interval. */
export interface EstimateRow {
  readonly name: string;
  readonly mean: number;
  readonly low: number | null;
  readonly high: number | null;
  /** The figure of a guesser; null if it depends on the questions. */
  readonly nothing: number | null;
  readonly text: (value: number) => string;
}

interface EstimateTableProps {
  readonly label: string;
  readonly caption?: string;
  readonly rows: readonly EstimateRow[];
}

/** Figures with intervals, as numbers and bars. */
export function EstimateTable({ label, caption, rows }: EstimateTableProps) {
  return (
    <Scroll label={label}>
      <table class="certainty">
        {caption !== undefined && <caption class="fine">{caption}</caption>}
        <thead>
          <tr>
            <th scope="col">Figure</th>
            <th scope="col" class="number">
              Mean
            </th>
            <th scope="col" class="number">
              Between
            </th>
            <th scope="col" class="bar">
              <span class="visually-hidden">As a bar</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, mean, low, high, nothing, text }) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td class="number strong">{text(mean)}</td>
              <td class="number">{low === null || high === null ? 'from 20 on' : `${text(low)} to ${text(high)}`}</td>
              <td class="bar">
                {low !== null && high !== null && <IntervalBar mean={mean} low={low} high={high} mark={nothing} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Scroll>
  );
}

interface IntervalBarProps {
  readonly mean: number;
  readonly low: number;
  readonly high: number;
  /** A value to compare with, drawn as a line; null for none. */
  readonly mark: number | null;
}

const WIDTH = 120;
const HEIGHT = 14;
const INSET = 6;

/** Decorative: the numbers beside it are the same. */
function IntervalBar({ mean, low, high, mark }: IntervalBarProps) {
  const from = Math.min(low, mark ?? low);
  const to = Math.max(high, mark ?? high);
  const x = (value: number): number =>
    to === from ? WIDTH / 2 : INSET + ((value - from) / (to - from)) * (WIDTH - 2 * INSET);
  return (
    <svg class="interval" width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {mark !== null && <line class="mark" x1={x(mark)} x2={x(mark)} y2={HEIGHT} />}
      <line class="reach" x1={x(low)} x2={x(high)} y1={HEIGHT / 2} y2={HEIGHT / 2} />
      <circle cx={x(mean)} cy={HEIGHT / 2} r={4} />
    </svg>
  );
}
