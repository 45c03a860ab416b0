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
export const roundRow = keptRow(ROUND);
export const predictionRow: (selected: readonly PlanSelection[]) => Column<PredictionRow | null> = keptRow(PREDICTION);
export const agentRow = keptRow(AGENT);

function keptRow<Of extends Columns>(type: RowType<Of>) {
  return keptPlan((selected: readonly PlanSelection[]) => row(type, selected, NESTED));
}

/** Caches plans by selection, compiled at its second use: a selection with variables is new in each request. */
export function keptPlan<Key extends object, Value>(plan: (key: Key) => Column<Value>): (key: Key) => Column<Value> {
  const seen = new WeakSet<Key>();
  const plans = new WeakMap<Key, Column<Value>>();
  return (key) => {
    const known = plans.get(key);
    if (known !== undefined) return known;
    const made = plan(key);
    if (seen.has(key)) {
      // Text needs a fraction of the heap of its parts.
      const kept = { ...made, sql: compiled(made.sql) };
      plans.set(key, kept);
      return kept;
    }
    seen.add(key);
    return made;
  };
}
