import { clockTime, day } from '../figures.ts';
import { TableBehind } from '../parts/table-behind.tsx';
import { Frame, YAxis } from './frame.tsx';
import { pathThrough, rangeOf, scale, ticks } from './scales.ts';

interface LineChartProps {
  readonly points: readonly { readonly at: string; readonly cumulative: number }[];
  /** Such as `Points`. */
  readonly name: string;
  readonly text: (value: number) => string;
}

const MARGINS = { top: 12, right: 14, bottom: 26, left: 64 };

/** A cumulative sum over rounds, with a zero line. */
export function LineChart({ points, name, text }: LineChartProps) {
  const values = points.map(({ cumulative }) => cumulative);
  const last = values.at(-1) ?? 0;
  const range = rangeOf(values, [0]);
  const [first, end] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0];
  const isOneDay = day(first) === day(end);
  return (
    <>
      <Frame
        height={220}
        margins={MARGINS}
        label={`${name} over ${points.length} points in time, at last ${text(last)}`}
        values={{
          places: ({ width }) => values.map((_, index) => ({ x: ((index + 1) / values.length) * width })),
          read: (index, { width, height }) => {
            const { at, cumulative } = points[index] ?? { at: 0, cumulative: 0 };
            return {
              title: `${day(at)} ${clockTime(at)}`,
              rows: [[name, text(cumulative)]],
              marks: [[((index + 1) / values.length) * width, scale(range, [height, 0])(cumulative)]],
            };
          },
        }}
      >
        {(plane) => {
          const x = scale([0, points.length], [0, plane.width]);
          const y = scale(range, [plane.height, 0]);
          const path: [number, number][] = [
            [0, y(0)],
            ...values.map((value, index): [number, number] => [x(index + 1), y(value)]),
          ];
          return (
            <>
              <YAxis plane={plane} scale={y} at={ticks(range, 4)} text={text} />
              <path class="grown" d={`${pathThrough(path)}L${plane.width.toFixed(1)} ${y(0).toFixed(1)}Z`} />
              <path class="line" d={pathThrough(path)} />
              <line class="zero" x2={plane.width} y1={y(0)} y2={y(0)} />
              <circle class="line-end" cx={plane.width} cy={y(last)} r={4} />
              <g class="axis" transform={`translate(0 ${plane.height + 18})`}>
                <text>{isOneDay ? `${day(first)}, ${clockTime(first)}` : day(first)}</text>
                <text x={plane.width} text-anchor="end">
                  {points.length > 1 && (isOneDay ? clockTime(end) : day(end))}
                </text>
              </g>
            </>
          );
        }}
      </Frame>
      <TableBehind
        of={`${name} over time`}
        columns={['Until', name]}
        rows={points.map(({ at, cumulative }) => [`${day(at)} ${at.slice(11, 16)}`, text(cumulative)])}
      />
    </>
  );
}
