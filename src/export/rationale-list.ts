import { parts } from '../reads/plan/parts.ts';
import { PREDICTION, SCORE } from '../reads/plan/prediction.ts';
import { column } from './columns.ts';
import { type ExportList, IS_OVER, OF_ROUND, PREDICTION_IDS } from './export-list.ts';
import { PREDICTION_FILTERS } from './filters.ts';

const P = PREDICTION.columns;

const COLUMNS = [
  column('id', 'integer', P.id, "The prediction's."),
  ...OF_ROUND,
  column('agent_id', 'integer', P.agentId, 'The agent.'),
  column('agent_name', 'text', P.agentName, "The agent's name."),
  column('model', 'text', P.model, 'The program that answered, in its own words; or null.'),
  column('rationale', 'text', P.rationale, 'Its reasons, in its own words, with line breaks; or null.'),
];

/** The rationales of rounds that are over, in a list of their own: most predictions have none, and the texts are long. */
export const RATIONALE_LIST: ExportList = {
  name: 'rationales',
  columns: COLUMNS,
  filters: PREDICTION_FILTERS,
  ...PREDICTION_IDS,
  rowsAtOnce: 100,
  rows: parts
    .selectFrom('predictions as p')
    .innerJoin('rounds as r', (join) => join.onRef('r.id', '=', 'p.round_id').on(IS_OVER))
    .innerJoin('rationales as w', (join) =>
      join.onRef('w.round_id', '=', 'p.round_id').onRef('w.agent_id', '=', 'p.agent_id').on('w.hidden_at', 'is', null),
    )
    .innerJoin('agents as a', 'a.id', 'p.agent_id')
    .leftJoinLateral(SCORE.as('s'), (join) => join.onTrue()),
};
