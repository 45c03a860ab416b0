import { batcher } from '../batching.ts';
import { withoutDeadline } from '../deadline.ts';
import { madeOnceFor } from '../in-flight.ts';
import { anyOfOnePlan } from '../reads/fragments.ts';
import { AGENTS } from '../reads/plan/agent.ts';
import { byAlias } from '../reads/plan/by-alias.ts';
import { type Column, many, type PlanSelection, whole } from '../reads/plan/plan.ts';
import { columnReader, type ReadJson } from '../reads/plan/read-column.ts';
import { agentRow, cachedPlan } from '../reads/plan/rows.ts';

const { a } = byAlias({ a: 'agents' });

/** An agent, with the columns that decide if it holds its name. */
const agentWithName = cachedPlan((selected: readonly PlanSelection[]) =>
  whole({
    ...a.plain('id', 'name_key', 'mode'),
    ...a.instant('reserved_until'),
    agent: agentRow(selected),
  }),
);

type AgentWithName = ReturnType<typeof agentWithName> extends Column<infer Value> ? Value : never;

/** An agent by its id, whether it holds its name or not. */
export type AgentsById = (selected: readonly PlanSelection[], id: number) => Promise<AgentWithName | null>;

/** Requests of one document that arrive together share a statement, whose start costs as much as reading an agent. */
export function agentsById(readJson: ReadJson): AgentsById {
  const read = columnReader(readJson, 'own');
  const batcherOf = madeOnceFor((selected: readonly PlanSelection[]) =>
    batcher({
      inFlight: 2,
      delayToNextTick: true,
      max: 32,
      run: async (ids: readonly number[]) => {
        const agents = many(agentWithName(selected), AGENTS.where('a.id', '=', anyOfOnePlan(ids)));
        const found = new Map((await withoutDeadline(() => read(agents))).map((one) => [one.id, one]));
        return ids.map((id) => found.get(id) ?? null);
      },
    }),
  );
  return (selected, id) => batcherOf(selected).add(id);
}
