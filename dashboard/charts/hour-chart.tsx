import { type HourPoint } from '../hour-lines.ts';
import { percent } from '../figures.ts';
import { TableBehind } from '../parts/table-behind.tsx';
import { Frame, XAxis, YAxis } from './frame.tsx';
import { pathThrough, scale, spread } from './scales.ts';

/** A line of the diagram, with the class that gives it its look. */
interface HourLine {
  readonly name: string;
  readonly look: 'crowd' | 'reference';
  readonly points: readonly HourPoint[];
}

interface HourChartProps {
  /** The answer whose probability is shown. */
  readonly answer: string;
  readonly dots: readonly HourPoint[];
  readonly lines: readonly HourLine[];
  /** The present moment in minutes of the hour; 60 once it is over. */
  readonly now: number;
  /** The whole diagram's last minute was reached with this answer right (1) or wrong (0); null while undecided. */
  readonly end: 0 | 1 | null;
}

const MARGINS = { top: 10, right: 92, bottom: 28, left: 56 };
const QUARTERS = [0, 0.25, 0.5, 0.75, 1];
const MINUTES = [0, 15, 30, 45, 60];
/** A label is two lines high. */
const LABEL_APART = 36;

/** The probability of one answer through the hour: what the crowd said, what the price said, and each entry as a dot. */
export function HourChart({ answer, dots, lines, now, end }: HourChartProps) {
  const said = lines.map(({ name, points }) => `${name} ${percent(points.at(-1)?.value ?? 0)}`).join(', ');
  const label = `Probability of ${answer} through the hour. ${said || 'Nothing yet'}; ${dots.length} entries.`;
  return (
    <>
      <Frame height={270} margins={MARGINS} label={label}>
        {(plane) => {
          const x = scale([0, 60], [0, plane.width]);
          const y = scale([0, 1], [plane.height, 0]);
          const at = ({ minute, value }: HourPoint): [number, number] => [
            x(Math.min(60, Math.max(0, minute))),
            y(value),
          ];
          const drawn = lines.filter(({ points }) => points.length > 0);
          const places = spread(
            drawn.map(({ points }) => y(points.at(-1)?.value ?? 0)),
            LABEL_APART,
            plane.height,
          );
          return (
            <>
              <YAxis plane={plane} scale={y} at={QUARTERS} text={(value) => percent(value)} />
              <XAxis plane={plane} scale={x} at={MINUTES} text={(value) => `:${String(value).padStart(2, '0')}`} />
              {now < 60 && <rect class="hour-to-come" x={x(now)} width={plane.width - x(now)} height={plane.height} />}
              <path
                class="hour-dots"
                d={dots
                  .map(
                    (dot) =>
                      `M${at(dot)
                        .map((one) => one.toFixed(1))
                        .join(' ')}h0`,
                  )
                  .join('')}
              />
              <Newest dots={dots} at={at} />
              {drawn.map(({ name, look, points }, index) => {
                const path = points.map(at);
                const last = path.at(-1);
                if (last && now > (points.at(-1)?.minute ?? 0)) path.push([x(Math.min(60, now)), last[1]]);
                const labelY = places[index] ?? 0;
                return (
                  <g class={`hour-line ${look}`} key={name}>
                    <path d={pathThrough(path, 'step')} />
                    <text x={plane.width + 10} y={labelY} dy="-0.1em">
                      {name}
                    </text>
                    <text class="figure" x={plane.width + 10} y={labelY} dy="1em">
                      {percent(points.at(-1)?.value ?? 0)}
                    </text>
                  </g>
                );
              })}
              {now < 60 && <line class="hour-now" x1={x(now)} x2={x(now)} y2={plane.height} />}
              {end !== null && <circle class="hour-end" cx={x(60)} cy={y(end)} r={6} />}
            </>
          );
        }}
      </Frame>
      <TableBehind
        of={`Probability of ${answer}, minute by minute`}
        columns={['Minute', 'Entries', ...lines.map(({ name }) => name)]}
        rows={tableRows(dots, lines, now)}
      />
    </>
  );
}

/** The entry that came last is drawn by itself, so that its coming can be seen. */
function Newest({
  dots,
  at,
}: {
  readonly dots: readonly HourPoint[];
  readonly at: (dot: HourPoint) => [number, number];
}) {
  const dot = dots.at(-1);
  if (dot === undefined) return null;
  const [cx, cy] = at(dot);
  return <circle class="hour-newest" key={dots.length} cx={cx} cy={cy} r={4.5} />;
}

const EVERY_MINUTES = 5;

function tableRows(dots: readonly HourPoint[], lines: readonly HourLine[], now: number): string[][] {
  const minutes = Array.from(
    { length: Math.floor(Math.min(60, now) / EVERY_MINUTES) + 1 },
    (_, step) => step * EVERY_MINUTES,
  );
  return minutes.map((minute) => [
    String(minute),
    String(until(dots, minute).length),
    ...lines.map(({ points }) => {
      const last = until(points, minute).at(-1);
      return last === undefined ? '–' : percent(last.value);
    }),
  ]);
}

function until(points: readonly HourPoint[], minute: number): HourPoint[] {
  return points.filter((point) => point.minute <= minute);
}
