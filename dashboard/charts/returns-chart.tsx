import { change, minuteOf } from '../figures.ts';
import type { ReturnLine } from '../hour-prices.ts';
import { TableBehind } from '../parts/table-behind.tsx';
import { Frame, XAxis, YAxis } from './frame.tsx';
import { MARGINS, minuteRows, MINUTES, minuteScale, minuteValues, type NamedValue } from './hour-chart.tsx';
import { type Plane, pathThrough, rangeOf, scale, spread, ticks } from './scales.ts';

interface ReturnsChartProps {
  readonly lines: readonly ReturnLine[];
  /** The returns at which the answer turns, in percent. */
  readonly turning: readonly number[];
  /** Highlighted assets: the question's subject, or the leading one. */
  readonly leading: readonly string[];
  /** The current minute; 60 once the hour is over. */
  readonly now: number;
}

const LABEL_APART = 15;

export function ReturnsChart({ lines, turning, leading, now }: ReturnsChartProps) {
  const shown = lines.map(({ symbol, points }) => ({ symbol, points: points.filter(({ minute }) => minute <= now) }));
  const named = shown.map(({ symbol: name, points }) => ({ name, points }));
  const values = shown.flatMap(({ points }) => points.map(({ value }) => value));
  const range = rangeOf(values, [0, ...turning]);
  const yOf = ({ height }: Plane) => scale(range, [height, 0]);
  const returns = shown.map(({ symbol, points }) => `${symbol} ${returnText(points)}`).join(', ');
  return (
    <>
      <Frame
        height={lines.length > 4 ? 240 : 190}
        margins={MARGINS}
        label={`Return since the start of the hour: ${returns}`}
        values={minuteValues({ lines: named, now, yOf, rowsOf: highestFirst })}
      >
        {(plane) => {
          const x = minuteScale(plane);
          const y = yOf(plane);
          const labels = spread(
            shown.map(({ points }) => y(lastOf(points))),
            LABEL_APART,
            plane.height,
          );
          return (
            <>
              <YAxis plane={plane} scale={y} at={ticks(range, 4)} text={(value) => change(value)} />
              <XAxis plane={plane} scale={x} at={MINUTES} text={minuteOf} />
              {now < 60 && <rect class="hour-to-come" x={x(now)} width={plane.width - x(now)} height={plane.height} />}
              <line class="zero" x2={plane.width} y1={y(0)} y2={y(0)} />
              {turning.map((value) => (
                <line class="threshold" x2={plane.width} y1={y(value)} y2={y(value)} key={value} />
              ))}
              {shown.map(({ symbol, points }, index) => (
                <g class={`return ${leading.includes(symbol) ? 'leading' : ''}`} key={symbol}>
                  <path d={pathThrough(points.map(({ minute, value }) => [x(minute), y(value)]))} />
                  <text x={plane.width + 10} y={labels[index]} dy="0.32em">
                    <tspan class="name">{symbol}</tspan> {plane.isNarrow ? '' : returnText(points)}
                  </text>
                </g>
              ))}
            </>
          );
        }}
      </Frame>
      <TableBehind
        of="Return since the start of the hour"
        columns={['Minute', ...shown.map(({ symbol }) => symbol)]}
        rows={minuteRows(
          now,
          shown.map(({ points }) => ({ points, text: (value) => change(value) })),
        )}
      />
    </>
  );
}

function highestFirst(known: readonly NamedValue[]) {
  const sorted = known.toSorted((one, other) => other.value - one.value);
  return sorted.map(({ name, value }) => [name, change(value)] as const);
}

/** Empty while no price is known. */
function returnText(points: ReturnLine['points']): string {
  return points.length === 0 ? '' : change(lastOf(points));
}

function lastOf(points: ReturnLine['points']): number {
  return points.at(-1)?.value ?? 0;
}
