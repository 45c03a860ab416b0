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

/** An interval and its mean on a scale of their own, beside figures that say the same. */
export function IntervalBar({ mean, low, high, mark }: IntervalBarProps) {
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
