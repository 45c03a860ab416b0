export interface Plane {
  readonly width: number;
  readonly height: number;
  /** Labels beside it must be short. */
  readonly isNarrow: boolean;
}

export type Scale = (value: number) => number;

type Range = readonly [number, number];

export function scale(from: Range, to: Range): Scale {
  const length = from[1] - from[0];
  return (value) => (length === 0 ? (to[0] + to[1]) / 2 : to[0] + ((value - from[0]) / length) * (to[1] - to[0]));
}

/** About `count` round values within a range. */
export function ticks([low, high]: Range, count: number): number[] {
  const step = niceStep((high - low) / Math.max(1, count));
  const first = Math.ceil(low / step - 1e-9);
  const last = Math.floor(high / step + 1e-9);
  // Multiplied, since sums of tenths drift.
  return Array.from({ length: last - first + 1 }, (_, index) => Number(((first + index) * step).toPrecision(12)));
}

/** The nearest step of 1, 2, 2.5 or 5 times a power of ten. */
function niceStep(wanted: number): number {
  if (wanted <= 0) return 1;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const farFrom = (times: number): number => Math.abs(Math.log((times * power) / wanted));
  return [1, 2, 2.5, 5, 10].reduce((best, times) => (farFrom(times) < farFrom(best) ? times : best)) * power;
}

/** The smallest range with all values and `around`, with a margin of a twelfth at both ends. */
export function rangeOf(values: readonly number[], around: readonly [number, ...number[]]): Range {
  const low = Math.min(...values, ...around);
  const high = Math.max(...values, ...around);
  const margin = (high - low || Math.abs(high) || 1) / 12;
  return [low - margin, high + margin];
}

/** An SVG path; steps hold each value until the next point. */
export function pathThrough(points: readonly (readonly [number, number])[], shape: 'line' | 'step' = 'line'): string {
  return points
    .map(([x, y], index) => {
      if (index === 0) return `M${px(x)} ${px(y)}`;
      return shape === 'step' ? `H${px(x)}V${px(y)}` : `L${px(x)} ${px(y)}`;
    })
    .join('');
}

function px(value: number): string {
  return value.toFixed(1);
}

/** Moves labels from `wanted` to be at least `apart` from each other, within 0 to `length`. */
export function spread(wanted: readonly number[], apart: number, length: number): number[] {
  const order = wanted.map((at, index) => ({ at, index })).toSorted((one, other) => one.at - other.at);
  let least = 0;
  for (const label of order) {
    label.at = Math.max(label.at, least);
    least = label.at + apart;
  }
  let most = length;
  for (const label of order.toReversed()) {
    label.at = Math.min(label.at, most);
    most = label.at - apart;
  }
  return order.toSorted((one, other) => one.index - other.index).map(({ at }) => at);
}
