import { createQueryId, PostgresQueryCompiler, type RawBuilder, sql } from 'kysely';

import { AGENT, type AgentRow } from './agent.ts';
import { type Column, type FieldSelection, row, type Rows } from './plan.ts';
import { PREDICTION, type PredictionRow } from './prediction.ts';
import { ROUND, type RoundRow } from './round.ts';

/** Rows that hang on others. */
export const NESTED: Rows = {
  round: (selected) => row(ROUND, selected, NESTED),
  prediction: (selected) => row(PREDICTION, selected, NESTED),
  agent: (selected) => row(AGENT, selected, NESTED),
};

type Selected = readonly FieldSelection[];

/** Rows that a statement begins with: their plans are kept as long as the documents that select them. */
export const roundRow = keptPlan((selected: Selected): Column<RoundRow | null> => row(ROUND, selected, NESTED));
export const predictionRow = keptPlan((selected: Selected): Column<PredictionRow | null> =>
  row(PREDICTION, selected, NESTED),
);
export const agentRow = keptPlan((selected: Selected): Column<AgentRow | null> => row(AGENT, selected, NESTED));

/**
 * Plans by what is selected. They are compiled and kept when it comes the second time: what variables are part of is made
 * anew for each request.
 */
export function keptPlan<Key extends object, Value>(plan: (key: Key) => Column<Value>): (key: Key) => Column<Value> {
  const seen = new WeakSet<Key>();
  const plans = new WeakMap<Key, Column<Value>>();
  return (key) => {
    const known = plans.get(key);
    if (known !== undefined) return known;
    const made = plan(key);
    if (seen.has(key)) {
      // Text takes a fraction of the heap that its parts take.
      const compiled = { ...made, sql: compiledOnce(made.sql) };
      plans.set(key, compiled);
      return compiled;
    }
    seen.add(key);
    return made;
  };
}

/** The same SQL, which is compiled only once where it takes no values. */
function compiledOnce(value: RawBuilder<unknown>): RawBuilder<unknown> {
  const { sql: text, parameters } = new PostgresQueryCompiler().compileQuery(value.toOperationNode(), createQueryId());
  return parameters.length === 0 ? sql.raw(text) : value;
}
