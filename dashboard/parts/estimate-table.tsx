import { Heads, Scroll } from './tables.tsx';

/** Without ends, too few predictions exist for an interval. */
export interface EstimateRow {
  readonly name: string;
  readonly mean: number;
  readonly low?: number | null;
  readonly high?: number | null;
  /** The figure of a guesser, 0 by default; null if it depends on the questions. */
  readonly nothing?: number | null;
  /** Beside the name. */
  readonly small?: string;
  readonly text: (value: number) => string;
}

interface EstimateTableProps {
  readonly label: string;
  readonly caption?: string;
  /** Above the names of rows. */
  readonly head?: string;
  /** The property of each row, whose bars then have one scale. */
  readonly name?: string;
  readonly rows: readonly EstimateRow[];
}

/** Figures with intervals, as numbers and bars. */
export function EstimateTable({
  label,
  caption,
  name: property,
  head = property ?? 'Figure',
  rows,
}: EstimateTableProps) {
  const ends = property ? rows.flatMap(({ mean, low, high }) => [low ?? mean, high ?? mean]) : [];
  return (
    <Scroll label={label}>
      <table class={property ? 'certainty by' : 'certainty'}>
        {caption !== undefined && <caption class="fine">{caption}</caption>}
        <Heads of={[[head], ['Mean', 'number'], ['Between', 'number between'], ['As a bar', 'bar']]} />
        <tbody>
          {rows.map(({ name, mean, low, high, nothing = 0, small, text }) => (
            <tr key={name}>
              <th scope="row">
                <bdi>{name}</bdi> {small && <small>{small}</small>}
              </th>
              <td class="number strong">{text(mean)}</td>
              <td class="number between">
                {low == null || high == null ? (property ? '–' : 'from 20 on') : `${text(low)} to ${text(high)}`}
              </td>
              <td class="bar">
                {(property !== undefined || low != null) && (
                  <IntervalBar mean={mean} low={low ?? mean} high={high ?? mean} ends={ends} mark={nothing} />
                )}
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
  /** The scale includes these values. */
  readonly ends: readonly number[];
  /** A value to compare with, drawn as a line; null for none. */
  readonly mark: number | null;
}

const WIDTH = 120;
const HEIGHT = 14;
const INSET = 6;

/** Decorative: the numbers beside it are the same. */
function IntervalBar({ mean, low, high, ends, mark }: IntervalBarProps) {
  const all = [low, high, mark ?? mean, ...ends];
  const [from, to] = [Math.min(...all), Math.max(...all)];
  const x = (value: number): number =>
    to === from ? WIDTH / 2 : INSET + ((value - from) / (to - from)) * (WIDTH - 2 * INSET);
  return (
    <svg class="interval" width={WIDTH} height={HEIGHT} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} aria-hidden="true">
      {mark !== null && (
        <>
          <line class={mean < mark ? 'below' : 'above'} x1={x(mark)} x2={x(mean)} y1={HEIGHT / 2} y2={HEIGHT / 2} />
          <line class="mark" x1={x(mark)} x2={x(mark)} y2={HEIGHT} />
        </>
      )}
      <line x1={x(low)} x2={x(high)} y1={HEIGHT / 2} y2={HEIGHT / 2} />
      <circle cx={x(mean)} cy={HEIGHT / 2} r={4} />
    </svg>
  );
}
