import { change } from '../figures.ts';
import { TableBehind } from '../parts/table-behind.tsx';
import { Frame } from './frame.tsx';
import { rangeOf, scale } from './scales.ts';

interface ReturnsBarsProps {
  readonly returns: readonly { readonly symbol: string; readonly pct: number }[];
  /** Where an asset's return had to end up for one answer or the other, in percent. */
  readonly thresholds: readonly number[];
}

const ROW = 30;
const MARGINS = { top: 6, right: 76, bottom: 6, left: 56 };

/** The return of each asset over the hour, from zero to the left or to the right. */
export function ReturnsBars({ returns, thresholds }: ReturnsBarsProps) {
  const text = returns.map(({ symbol, pct }) => `${symbol} ${change(pct)}`).join(', ');
  return (
    <>
      <Frame
        height={returns.length * ROW + 12}
        margins={MARGINS}
        narrowRight={MARGINS.right}
        label={`Return over the hour: ${text}`}
      >
        {({ width, height }) => {
          const x = scale(
            rangeOf(
              returns.map(({ pct }) => pct),
              [0, ...thresholds],
            ),
            [0, width],
          );
          return (
            <>
              {returns.map(({ symbol, pct }, row) => (
                <g
                  class={`returns ${pct < 0 ? 'down' : 'up'}`}
                  transform={`translate(0 ${row * ROW + ROW / 2})`}
                  key={symbol}
                >
                  <text x={-10} dy="0.32em" text-anchor="end" class="name">
                    {symbol}
                  </text>
                  <rect
                    x={Math.min(x(0), x(pct))}
                    width={Math.max(1.5, Math.abs(x(pct) - x(0)))}
                    y={-8}
                    height={16}
                    rx={2}
                  />
                  <text x={width + 10} dy="0.32em">
                    {change(pct, 3)}
                  </text>
                </g>
              ))}
              <line class="zero" x1={x(0)} x2={x(0)} y2={height} />
              {thresholds.map((threshold) => (
                <line class="threshold" x1={x(threshold)} x2={x(threshold)} y2={height} key={threshold} />
              ))}
            </>
          );
        }}
      </Frame>
      <TableBehind
        of="Returns over the hour"
        columns={['Asset', 'Return']}
        rows={returns.map(({ symbol, pct }) => [symbol, change(pct, 4)])}
      />
    </>
  );
}
