import { compiled } from '../fragments.ts';
import { AGENT } from './agent.ts';
import { type Column, type Columns, type PlanSelection, row, type Rows, type RowType } from './plan.ts';
import { PREDICTION, type PredictionRow } from './prediction.ts';
import { ROUND } from './round.ts';

/** Rows below other rows. */
export const NESTED: Rows = {
  round: (selected) => row(ROUND, selected, NESTED),
  prediction: (selected) => row(PREDICTION, selected, NESTED),
  agent: (selected) => row(AGENT, selected, NESTED),
};

/** Outermost rows of statements: plans are cached as long as the documents that select them. */
export const roundRow = cachedRow(ROUND);
export const predictionRow: (selected: readonly PlanSelection[]) => Column<PredictionRow | null> =
  cachedRow(PREDICTION);
export const agentRow = cachedRow(AGENT);

function cachedRow<Of extends Columns>(type: RowType<Of>) {
  return cachedPlan((selected: readonly PlanSelection[]) => row(type, selected, NESTED));
}

/** Caches plans by selection, compiled at its second use: a selection with variables is new in each request. */
export function cachedPlan<Key extends object, Value>(plan: (key: Key) => Column<Value>): (key: Key) => Column<Value> {
  const seen = new WeakSet<Key>();
  const plans = new WeakMap<Key, Column<Value>>();
  return (key) => {
    const known = plans.get(key);
    if (known !== undefined) return known;
    const made = plan(key);
    if (seen.has(key)) {
      // Text needs a fraction of the heap of its parts.
      const smaller = { ...made, sql: compiled(made.sql) };
      plans.set(key, smaller);
      return smaller;
    }
    seen.add(key);
    return made;
  };
}
