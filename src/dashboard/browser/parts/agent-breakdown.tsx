import { useState } from 'preact/hooks';

import { LEAD_BUCKETS } from '../../../rules/breakdowns.ts';
import { Breakdown } from '../../documents/agent.ts';
import type { BreakdownDimension } from '../../../rules/schema-enums.ts';
import { useAnswer } from '../answers.ts';
import { heatCells, rowsOf } from '../breakdown-cells.ts';
import { HeatMap } from '../charts/heat-map.tsx';
import { Failed, Loading } from './notes.tsx';
import { typeName } from './round-list.tsx';
import { Tabs } from './tabs.tsx';

const MINUTES_LEFT = LEAD_BUCKETS.map(({ name }) => name);
const WEEKDAYS = ['1', '2', '3', '4', '5', '6', '7'];

/** What is put beside what, as it is called on the page, and all that stands across. */
const VIEWS = [
  ['lead', 'Type and minutes left', ['QUESTION_TYPE', 'LEAD_TIME'], MINUTES_LEFT],
  ['asset', 'Asset and minutes left', ['ASSET', 'LEAD_TIME'], MINUTES_LEFT],
  ['weekday', 'Hour and weekday (1 is Monday)', ['HOUR_OF_DAY', 'WEEKDAY'], WEEKDAYS],
] as const satisfies readonly (readonly [string, string, readonly BreakdownDimension[], readonly string[]])[];

/** Where an agent is good, by two properties of its predictions at once. */
export function AgentBreakdown({ agent }: { readonly agent: number }) {
  const [view, setView] = useState<(typeof VIEWS)[number][0]>('lead');
  const [, , by, columns] = VIEWS.find(([name]) => name === view) ?? VIEWS[0];
  const { data, error, refresh } = useAnswer(Breakdown, { agent, by });
  const cells = heatCells(data?.breakdown ?? []).map((cell) => ({ ...cell, row: typeName(cell.row) }));
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
      {data === null && (error === null ? <Loading /> : <Failed error={error} again={refresh} />)}
      {data !== null && (
        <HeatMap rows={rowsOf(cells)} columns={columns} cells={cells} of="Share of right predictions" />
      )}
    </section>
  );
}
