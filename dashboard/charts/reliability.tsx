import { percent, whole } from '../figures.ts';
import { TableBehind } from '../parts/table-behind.tsx';
import { Frame, XAxis, YAxis } from './frame.tsx';
import type { Pointable } from './pointing.tsx';
import { type Plane, pathThrough, scale } from './scales.ts';

interface ReliabilityPart {
  readonly from: number;
  readonly to: number;
  readonly n: number;
  readonly meanConfidence?: number | null;
  readonly hitRate?: number | null;
  readonly hitRateInterval?: { readonly low: number; readonly high: number } | null;
}

const MARGINS = { top: 12, right: 16, bottom: 40, left: 52 };
const FIFTHS = [0, 0.2, 0.4, 0.6, 0.8, 1];
const LEAST_RADIUS = 3;
const MOST_RADIUS = 9;

/** Stated and actual frequencies of each bin. */
function valuesOf(parts: readonly ReliabilityPart[]): Pointable {
  const at = ({ width, height }: Plane, { meanConfidence, hitRate }: ReliabilityPart): [number, number] => [
    (meanConfidence ?? 0) * width,
    (1 - (hitRate ?? 0)) * height,
  ];
  return {
    places: (plane) => parts.map((part) => ({ x: at(plane, part)[0] })),
    read: (index, plane) => {
      const part = parts[index];
      if (part === undefined) return { title: '', rows: [] };
      const { from, to, n, meanConfidence, hitRate, hitRateInterval: ends } = part;
      return {
        title: `${from}–${to} %`,
        rows: [
          ['said', percent(meanConfidence ?? 0, 1)],
          ['right', percent(hitRate ?? 0, 1)],
          ...(ends ? [['between', `${percent(ends.low)} and ${percent(ends.high)}`] as const] : []),
          ['of', whole(n)],
        ],
        marks: [at(plane, part)],
      };
    },
  };
}

interface ReliabilityProps {
  readonly bins: readonly ReliabilityPart[];
  /** The diagram's words for the stated and the actual frequency, and the counted things. */
  readonly of?: { readonly stated: string; readonly right: string; readonly each: string };
}

const CONFIDENCE = { stated: 'Confidence', right: 'how often it was right', each: 'Predictions' };

/** Actual against stated frequency; both are equal on the diagonal. */
export function Reliability({ bins, of = CONFIDENCE }: ReliabilityProps) {
  const name = `${of.stated} and ${of.right}`;
  const filled = bins.filter(({ n }) => n > 0);
  const most = Math.max(1, ...filled.map(({ n }) => n));
  const label = filled
    .map(({ meanConfidence, hitRate }) => `said ${percent(meanConfidence ?? 0)}, right ${percent(hitRate ?? 0)}`)
    .join('; ');
  return (
    <>
      <Frame height={300} margins={MARGINS} label={`${name}: ${label || 'nothing yet'}`} values={valuesOf(filled)}>
        {(plane) => {
          const x = scale([0, 1], [0, plane.width]);
          const y = scale([0, 1], [plane.height, 0]);
          return (
            <>
              <YAxis plane={plane} scale={y} at={FIFTHS} text={(value) => percent(value)} />
              <XAxis plane={plane} scale={x} at={FIFTHS} text={(value) => percent(value)} />
              <text class="axis-name" x={plane.width / 2} y={plane.height + 36} text-anchor="middle">
                said
              </text>
              <line class="diagonal" x1={0} y1={plane.height} x2={plane.width} y2={0} />
              {filled.map(
                ({ from, meanConfidence, hitRateInterval: ends }) =>
                  ends && (
                    <line
                      class="band"
                      x1={x(meanConfidence ?? 0)}
                      x2={x(meanConfidence ?? 0)}
                      y1={y(ends.low)}
                      y2={y(ends.high)}
                      key={from}
                    />
                  ),
              )}
              <path
                class="line"
                d={pathThrough(filled.map(({ meanConfidence, hitRate }) => [x(meanConfidence ?? 0), y(hitRate ?? 0)]))}
              />
              {filled.map(({ from, n, meanConfidence, hitRate }) => (
                <circle
                  class="bin"
                  cx={x(meanConfidence ?? 0)}
                  cy={y(hitRate ?? 0)}
                  r={LEAST_RADIUS + (MOST_RADIUS - LEAST_RADIUS) * Math.sqrt(n / most)}
                  key={from}
                />
              ))}
            </>
          );
        }}
      </Frame>
      <TableBehind
        of={name}
        columns={['Said', of.each, 'Mean said', 'Right', '95 % interval']}
        rows={bins.map(({ from, to, n, meanConfidence, hitRate, hitRateInterval }) => [
          `${from}–${to} %`,
          whole(n),
          meanConfidence == null ? '–' : percent(meanConfidence, 1),
          hitRate == null ? '–' : percent(hitRate, 1),
          hitRateInterval ? `${percent(hitRateInterval.low)} to ${percent(hitRateInterval.high)}` : '–',
        ])}
      />
    </>
  );
}
