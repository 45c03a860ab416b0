import { useState } from 'preact/hooks';

import { LEAD_BUCKETS } from '../../src/rules/lead-buckets.ts';
import { Breakdown, type BreakdownDimension } from '../documents/agent.ts';
import { useAnswer } from '../answers.ts';
import { type HeatCell, heatCells, rowsOf } from '../breakdown-cells.ts';
import { Pending } from './notes.tsx';
import { typeName } from './round-list.tsx';
import { Tabs } from './tabs.tsx';
import { whole } from '../figures.ts';
import { TableBehind } from './table-behind.tsx';
import { Frame } from '../charts/frame.tsx';

const MINUTES_LEFT = LEAD_BUCKETS.map(({ name }) => name);
const WEEKDAYS = ['1', '2', '3', '4', '5', '6', '7'];

/** The pairs of properties with their names, and all values across. */
const VIEWS = [
  ['lead', 'Type and minutes left', ['QUESTION_TYPE', 'LEAD_TIME'], MINUTES_LEFT],
  ['asset', 'Asset and minutes left', ['ASSET', 'LEAD_TIME'], MINUTES_LEFT],
  ['weekday', 'Hour and weekday (1 is Monday)', ['HOUR_OF_DAY', 'WEEKDAY'], WEEKDAYS],
] as const satisfies readonly (readonly [string, string, readonly BreakdownDimension[], readonly string[]])[];

/** An agent's record by two properties of its predictions at once. */
export function AgentBreakdown({ agent }: { readonly agent: number }) {
  const [view, setView] = useState<(typeof VIEWS)[number][0]>('lead');
  const [, , by, columns] = VIEWS.find(([name]) => name === view) ?? VIEWS[0];
  const { data, error, refresh } = useAnswer(Breakdown, { agent, by });
  const cells = heatCells(data?.breakdown ?? []).map((cell) => ({ ...cell, row: typeName(cell.row) }));
  const isFull = cells.length >= (rowsOf(cells).length * columns.length) / 2;
  return (
    <section class="panel" aria-labelledby="breakdown">
      <h2 id="breakdown">
        Where is it good? <small>share right; green ▲ better, red ▼ worse than the price alone</small>
      </h2>
      <Tabs
        label="Properties"
        name="breakdown"
        options={VIEWS.map(([name, text]) => [name, text] as const)}
        value={view}
        choose={setView}
      />
      {data === null && <Pending error={error} again={refresh} />}
      {data !== null &&
        (isFull ? (
          <HeatMap rows={rowsOf(cells)} columns={columns} cells={cells} of="Share of right predictions" />
        ) : (
          <Lacking rows={rowsOf(cells)} columns={columns} cells={cells} />
        ))}
    </section>
  );
}

interface HeatMapProps {
  readonly rows: readonly string[];
  readonly columns: readonly string[];
  readonly cells: readonly HeatCell[];
  readonly of: string;
}

/** Values without predictions, if they are most of the map. */
function Lacking({ rows, columns, cells }: Omit<HeatMapProps, 'of'>) {
  const lacks = (row: string) =>
    columns.filter((column) => !cells.some((cell) => cell.row === row && cell.column === column));
  return (
    <>
      <p>
        A map needs a prediction in half of its {rows.length * columns.length} fields; {cells.length} have one. Those
        without:
      </p>
      <ul class="lacking">
        {rows
          .filter((row) => lacks(row).length > 0)
          .map((row) => (
            <li key={row}>
              <b>{row}</b> {lacks(row).join(', ')}
            </li>
          ))}
      </ul>
    </>
  );
}

const ROW = 30;
const MARGINS = { top: 24, right: 4, bottom: 4, left: 108 };
/** Cells of fewer predictions are paler. */
const FEW = 5;
/** Narrower cells (in pixels) show only an arrow; the table has the figures. */
const NARROWEST_TEXT = 52;

/** Deeper colours are farther from chance; each cell also has its figure as text. */
function HeatMap({ rows, columns, cells, of }: HeatMapProps) {
  const cellAt = (row: string, column: string) => cells.find((cell) => cell.row === row && cell.column === column);
  return (
    <>
      <Frame
        height={rows.length * ROW + MARGINS.top + MARGINS.bottom}
        margins={MARGINS}
        label={of}
        values={{
          places: ({ width }) =>
            cells.map(({ row, column }) => ({
              x: (columns.indexOf(column) + 0.5) * (width / Math.max(1, columns.length)),
              y: (rows.indexOf(row) + 0.5) * ROW,
            })),
          read: (index) => {
            const cell = cells[index];
            return { title: `${cell?.row}, ${cell?.column}`, rows: [['right', cellText(cell)]] };
          },
        }}
      >
        {({ width }) => {
          const side = width / Math.max(1, columns.length);
          return (
            <>
              {columns.map((column, index) => (
                <text class="heat-name" x={index * side + side / 2} y={-8} text-anchor="middle" key={column}>
                  {column}
                </text>
              ))}
              {rows.map((row, line) => (
                <g transform={`translate(0 ${line * ROW})`} key={row}>
                  <text class="heat-name" x={-10} y={ROW / 2} dy="0.32em" text-anchor="end">
                    {row}
                  </text>
                  {columns.map((column, index) => {
                    const cell = cellAt(row, column);
                    const way = cell === undefined ? 'none' : cell.value < 0 ? 'down' : 'up';
                    return (
                      <g class={`heat ${way}`} key={column}>
                        <rect
                          x={index * side + 1}
                          y={1}
                          width={Math.max(0, side - 2)}
                          height={ROW - 2}
                          rx={3}
                          opacity={
                            cell ? 0.12 + 0.78 * Math.min(1, Math.abs(cell.value)) * (cell.n < FEW ? 0.5 : 1) : 1
                          }
                        />
                        {cell && (
                          <text x={index * side + side / 2} y={ROW / 2} dy="0.32em" text-anchor="middle">
                            {side < NARROWEST_TEXT ? '' : `${cell.text} `}
                            {cell.value < 0 ? '▼' : '▲'}
                          </text>
                        )}
                      </g>
                    );
                  })}
                </g>
              ))}
            </>
          );
        }}
      </Frame>
      <TableBehind
        of={of}
        columns={['Of what', ...columns]}
        rows={rows.map((row) => [row, ...columns.map((column) => cellText(cellAt(row, column)))])}
      />
    </>
  );
}

function cellText(cell: HeatCell | undefined): string {
  return cell === undefined ? '–' : `${cell.text} of ${whole(cell.n)}`;
}
