import { type HourPoint } from '../hour-lines.ts';
import { minuteOf, percent } from '../figures.ts';
import { TableBehind } from '../parts/table-behind.tsx';
import { Frame, XAxis, YAxis } from './frame.tsx';
import { Legend, type Look } from './legend.tsx';
import type { Pointable, Reading } from './pointing.tsx';
import { type Plane, pathThrough, scale, spread } from './scales.ts';

export interface HourLine {
  readonly name: string;
  readonly look: Look;
  readonly points: readonly HourPoint[];
}

interface HourChartProps {
  readonly answer: string;
  readonly dots: readonly HourPoint[];
  /** Cumulative number of entries: a point for each dot, or for each minute if there are too many dots. */
  readonly counts: readonly HourPoint[];
  readonly lines: readonly HourLine[];
  /** The current minute; 60 once the hour is over. */
  readonly now: number;
  /** The last value: 1 if this answer was right, 0 if wrong, null while undecided. */
  readonly end: 0 | 1 | null;
}

export const MARGINS = { top: 10, right: 92, bottom: 28, left: 64 };
const QUARTERS = [0, 0.25, 0.5, 0.75, 1];
export const MINUTES = [0, 15, 30, 45, 60];
/** A label is two lines high. */
const LABEL_APART = 36;

const yOf = ({ height }: Plane) => scale([0, 1], [height, 0]);

export function minuteScale({ width }: Plane) {
  return scale([0, 60], [0, width]);
}

/** The probability of one answer: the crowd, the price, and each entry as a dot. */
export function HourChart({ answer, dots, counts, lines, now, end }: HourChartProps) {
  const main = lines.filter(({ look }) => look !== 'other');
  const newest = main.map(({ name, points }) => `${name} ${percent(points.at(-1)?.value ?? 0)}`).join(', ');
  const label = `Probability of ${answer} through the hour. ${newest || 'Nothing yet'}; ${counts.at(-1)?.value ?? 0} entries.`;
  const rowsOf: MinuteValues['rowsOf'] = (known, minute) => [
    ...known.map(({ name, value }) => [name, percent(value)] as const),
    ['Entries', String(lastUntil(counts, minute)?.value ?? 0)],
  ];
  return (
    <>
      <Legend of={lines} hasDots={dots.length === counts.length} />
      <Frame height={270} margins={MARGINS} label={label} values={minuteValues({ lines, now, yOf, rowsOf })}>
        {(plane) => {
          const x = minuteScale(plane);
          const y = yOf(plane);
          const at = ({ minute, value }: HourPoint): [number, number] => [
            x(Math.min(60, Math.max(0, minute))),
            y(value),
          ];
          return (
            <>
              <YAxis plane={plane} scale={y} at={QUARTERS} text={(value) => percent(value)} />
              <XAxis plane={plane} scale={x} at={MINUTES} text={minuteOf} />
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
              <Lines plane={plane} lines={lines} now={now} at={at} />
              {now < 60 && <line class="hour-now" x1={x(now)} x2={x(now)} y2={plane.height} />}
              {end !== null && <circle class="hour-end" cx={x(60)} cy={y(end)} r={6} />}
            </>
          );
        }}
      </Frame>
      <TableBehind
        of={`Probability of ${answer}, minute by minute`}
        columns={['Minute', 'Entries', ...lines.map(({ name }) => name)]}
        rows={minuteRows(now, [
          { points: counts, text: String },
          ...lines.map(({ points }) => ({ points, text: (value: number) => percent(value) })),
        ])}
      />
    </>
  );
}

type Placed = (dot: HourPoint) => [number, number];

interface LinesProps {
  readonly plane: Plane;
  readonly lines: readonly HourLine[];
  readonly now: number;
  readonly at: Placed;
}

/** Each line keeps its value until the next point; lines of other answers are thin and have no name. */
function Lines({ plane, lines, now, at }: LinesProps) {
  const drawn = lines
    .filter(({ points }) => points.length > 0)
    .toSorted((one, other) => Number(other.look === 'other') - Number(one.look === 'other'));
  const named = drawn.filter(({ look }) => look !== 'other');
  const places = spread(
    named.map(({ points }) => yOf(plane)(points.at(-1)?.value ?? 0)),
    LABEL_APART,
    // The lowest label stays above the minutes' names.
    plane.height - LABEL_APART / 2,
  );
  return (
    <>
      {drawn.map((line) => {
        const { name, look, points } = line;
        const path = points.map(at);
        const last = path.at(-1);
        if (last && now > (points.at(-1)?.minute ?? 0)) path.push([minuteScale(plane)(Math.min(60, now)), last[1]]);
        const y = places[named.indexOf(line)];
        return (
          <g class={`hour-line ${look}`} key={name}>
            <path d={pathThrough(path, 'step')} />
            {look === 'arena' && points.map((point) => <circle cx={at(point)[0]} cy={at(point)[1]} r={3.5} />)}
            {y !== undefined && (
              <>
                <text x={plane.width + 10} y={y} dy="-0.1em">
                  {name}
                </text>
                <text class="figure" x={plane.width + 10} y={y} dy="1em">
                  {percent(points.at(-1)?.value ?? 0)}
                </text>
              </>
            )}
          </g>
        );
      })}
    </>
  );
}

/** Drawn separately, to animate it. */
function Newest({ dots, at }: { readonly dots: readonly HourPoint[]; readonly at: Placed }) {
  const dot = dots.at(-1);
  if (dot === undefined) return null;
  const [cx, cy] = at(dot);
  return <circle class="hour-newest" key={dots.length} cx={cx} cy={cy} r={4.5} />;
}

export interface NamedValue {
  readonly name: string;
  readonly value: number;
}

interface MinuteValues {
  readonly lines: readonly Pick<HourLine, 'name' | 'points'>[];
  readonly now: number;
  readonly yOf: (plane: Plane) => (value: number) => number;
  /** The texts of a minute, from the lines that have begun. */
  readonly rowsOf: (known: readonly NamedValue[], minute: number) => Reading['rows'];
}

/** The values of lines at each minute until now. */
export function minuteValues({ lines, now, yOf: scaleOf, rowsOf }: MinuteValues): Pointable {
  return {
    places: (plane) => minutesUntil(now).map((minute) => ({ x: minuteScale(plane)(minute) })),
    read: (minute, plane) => {
      const known = lines.flatMap(({ name, points }) => {
        const last = lastUntil(points, minute);
        return last === undefined ? [] : [{ name, value: last.value }];
      });
      return {
        title: minuteOf(minute),
        rows: rowsOf(known, minute),
        marks: known.map(({ value }) => [minuteScale(plane)(minute), scaleOf(plane)(value)] as const),
      };
    },
  };
}

function minutesUntil(now: number): number[] {
  return Array.from({ length: Math.floor(Math.max(0, Math.min(60, now))) + 1 }, (_, minute) => minute);
}

const EVERY_MINUTES = 5;

interface Column {
  readonly points: readonly HourPoint[];
  readonly text: (value: number) => string;
}

/** A row every five minutes, with the latest value of each column. */
export function minuteRows(now: number, columns: readonly Column[]): string[][] {
  const minutes = minutesUntil(now).filter((minute) => minute % EVERY_MINUTES === 0);
  return minutes.map((minute) => [
    String(minute),
    ...columns.map(({ points, text }) => {
      const last = lastUntil(points, minute);
      return last === undefined ? '–' : text(last.value);
    }),
  ]);
}

/** The latest point up to a minute. */
function lastUntil(points: readonly HourPoint[], minute: number): HourPoint | undefined {
  return points.findLast((point) => point.minute <= minute);
}
