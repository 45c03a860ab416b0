import { change } from '../figures.ts';
import type { Move, Moves } from '../market-moves.ts';
import { TableBehind } from '../parts/table-behind.tsx';
import { Frame } from './frame.tsx';
import { rangeOf, type Scale, scale } from './scales.ts';

const ROW = 30;
const MARGINS = { top: 6, right: 76, bottom: 6, left: 56 };

/** Each asset's return in the hour, from zero to either side, and the returns at which the answer turns. */
export function ReturnsBars({ rows, turns }: Pick<Moves, 'rows' | 'turns'>) {
  const text = rows.map(({ name, pct }) => `${name} ${change(pct)}`).join(', ');
  const range = rangeOf(
    rows.flatMap(({ pct, reach }) => [pct, ...(reach ?? [])]),
    [0, ...turns],
  );
  return (
    <>
      <Frame
        height={rows.length * ROW + 12}
        margins={MARGINS}
        narrowRight={MARGINS.right}
        label={`What the market did: ${text}`}
        values={{
          places: () => rows.map((_, row) => ({ y: (row + 0.5) * ROW })),
          read: (row) => ({ title: rows[row]?.name ?? '', rows: figuresOf(rows[row]) }),
        }}
      >
        {({ width, height }) => {
          const x = scale(range, [0, width]);
          const [from, to = from] = turns;
          return (
            <>
              {from !== undefined && to !== undefined && to > from && (
                <rect class="turn-band" x={x(from)} width={x(to) - x(from)} height={height} />
              )}
              {rows.map((move, row) => (
                <g transform={`translate(0 ${row * ROW + ROW / 2})`} key={move.name}>
                  <Bar move={move} x={x} width={width} />
                </g>
              ))}
              <line class="zero" x1={x(0)} x2={x(0)} y2={height} />
              {turns.map((turn) => (
                <line class="threshold" x1={x(turn)} x2={x(turn)} y2={height} key={turn} />
              ))}
            </>
          );
        }}
      </Frame>
      <TableBehind
        of="What the market did"
        columns={['Of what', 'Change', 'Lowest', 'Highest']}
        rows={rows.map(({ name, pct, reach }) => [name, change(pct, 4), ...(reach ?? []).map((end) => change(end, 4))])}
      />
    </>
  );
}

function figuresOf(move: Move | undefined): (readonly [string, string])[] {
  if (move === undefined) return [];
  const [low, high] = move.reach ?? [];
  return [
    ['change', change(move.pct, 3)],
    ...(low === undefined || high === undefined
      ? []
      : ([
          ['lowest', change(low, 3)],
          ['highest', change(high, 3)],
        ] as const)),
  ];
}

interface BarProps {
  readonly move: Move;
  readonly x: Scale;
  readonly width: number;
}

function Bar({ move: { name, pct, reach, isAsked }, x, width }: BarProps) {
  return (
    <g class={`returns ${pct < 0 ? 'down' : 'up'}${isAsked ? '' : ' beside'}`}>
      <text x={-10} dy="0.32em" text-anchor="end" class="name">
        {name}
      </text>
      {reach && <line x1={x(reach[0])} x2={x(reach[1])} />}
      <rect x={Math.min(x(0), x(pct))} width={Math.max(1.5, Math.abs(x(pct) - x(0)))} y={-8} height={16} rx={2} />
      <text x={width + 10} dy="0.32em">
        {change(pct, 3)}
      </text>
    </g>
  );
}
