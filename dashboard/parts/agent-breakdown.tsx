import { useState } from 'preact/hooks';

import { LEAD_BUCKETS } from '../../src/rules/lead-buckets.ts';
import type { AgentPageQuery } from '../documents/agent.ts';
import { Breakdown, type BreakdownDimension, type BreakdownQuery } from '../documents/agent-detail.ts';
import { useAnswer } from '../answers.ts';
import { counted, decimal } from '../figures.ts';
import { type HeatCell, heatCells, isFilled, rowsOf } from '../breakdown-cells.ts';
import { EstimateTable } from './estimate-table.tsx';
import { Pending } from './notes.tsx';
import { typeName } from './round-list.tsx';
import { Heads, Scroll } from './tables.tsx';
import { Tabs } from './tabs.tsx';

type Agent = NonNullable<AgentPageQuery['agent']>;
type Given = Agent['predictions']['nodes'][number];

interface View {
  readonly text: string;
  readonly by: readonly BreakdownDimension[];
  /** A map's values across, and the field of a prediction. */
  readonly map?: {
    readonly columns: readonly string[];
    readonly fieldOf: (given: Given) => Pick<HeatCell, 'row' | 'column'>;
  };
}

const HOUR_MINUTES = 60;
const MINUTE_MS = 60_000;

const BY_TYPE: View = { text: 'Question', by: ['QUESTION_TYPE'] };
const VIEWS: readonly View[] = [
  BY_TYPE,
  { text: 'Asset', by: ['ASSET'] },
  { text: 'Minutes left', by: ['LEAD_TIME'] },
  {
    text: 'Map: question and minutes left',
    by: ['QUESTION_TYPE', 'LEAD_TIME'],
    map: {
      columns: LEAD_BUCKETS.map(({ name }) => name),
      fieldOf: ({ questionType, submittedAt, round }) => {
        const left = HOUR_MINUTES - (Date.parse(submittedAt) - Date.parse(round.startTime)) / MINUTE_MS;
        return { row: questionType, column: LEAD_BUCKETS.find(({ fromMinutes }) => left >= fromMinutes)?.name ?? '' };
      },
    },
  },
  {
    text: 'Map: hour and weekday',
    by: ['HOUR_OF_DAY', 'WEEKDAY'],
    map: {
      columns: ['1', '2', '3', '4', '5', '6', '7'],
      fieldOf: ({ round: { startTime } }) => ({
        row: startTime.slice(11, 13),
        column: String(new Date(startTime).getUTCDay() || 7),
      }),
    },
  },
];

/** An agent's edge by a property of its predictions. Maps are offered if its newest predictions fill half of them. */
export function AgentBreakdown({ agent: { id, predictions } }: { readonly agent: Agent }) {
  const [chosen, choose] = useState(BY_TYPE.text);
  const { text, by, map } = VIEWS.find((view) => view.text === chosen) ?? BY_TYPE;
  const { data, error, refresh } = useAnswer(Breakdown, { agent: id, by });
  const scored = predictions.nodes.filter(({ score }) => score != null);
  const shown = VIEWS.filter((view) => !view.map || isFilled(scored.map(view.map.fieldOf), view.map.columns.length));
  return (
    <section class="panel" aria-labelledby="breakdown">
      <h2 id="breakdown">
        Where is it good? <small>edge over the price, with 95 % intervals from 20 rounds on</small>
      </h2>
      <Tabs
        label="Properties"
        name="breakdown"
        options={shown.map((view) => [view.text, view.text] as const)}
        value={text}
        choose={choose}
      />
      {data === null ? (
        <Pending error={error} again={refresh} />
      ) : map === undefined ? (
        <Edges name={text} groups={data.breakdown} />
      ) : (
        <HeatMap columns={map.columns} cells={heatCells(data.breakdown)} />
      )}
    </section>
  );
}

/** Edge by one property, the highest first. No verdict a row: among 13 types one is far from 0 by chance. */
function Edges({ name, groups }: { readonly name: string; readonly groups: BreakdownQuery['breakdown'] }) {
  const rows = groups
    .flatMap(({ keys: [key], n, edge }) =>
      edge ? [{ name: typeName(key?.value ?? ''), ...edge, small: counted(n, 'round'), text: decimal }] : [],
    )
    .toSorted((one, other) => other.mean - one.mean);
  return <EstimateTable label={`Table: edge by ${name}`} name={name} rows={rows} />;
}

/** Shares of right predictions on fields whose colour is deeper the farther they are from chance. */
function HeatMap({ columns, cells }: { readonly columns: readonly string[]; readonly cells: readonly HeatCell[] }) {
  return (
    <>
      <p class="fine">Share right: green ▲ better, red ▼ worse than the price alone. Monday is 1.</p>
      <Scroll label="Table: share of right predictions">
        <table class="heat">
          <Heads of={[['Right'], ...columns.map((column) => [column] as const)]} />
          <tbody>
            {rowsOf(cells).map((row) => (
              <tr key={row}>
                <th scope="row">{typeName(row)}</th>
                {columns.map((column) => {
                  const cell = cells.find((one) => one.row === row && one.column === column);
                  return cell === undefined ? (
                    <td key={column}>–</td>
                  ) : (
                    <td class={`${cell.value < 0 ? 'down' : 'up'} deep-${cell.depth}`} key={column}>
                      {cell.text} {cell.value < 0 ? '▼' : '▲'} <small>of {cell.n}</small>
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </Scroll>
    </>
  );
}
