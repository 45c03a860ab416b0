import { sql } from 'kysely';

import { PREDICTION } from '../reads/plan/prediction.ts';
import { OVER_STATUSES } from '../rules/round-states.ts';
import { column, selectList } from './columns.ts';
import { type ExportList, OF_ROUND, PREDICTION_IDS } from './export-list.ts';
import { PREDICTION_FILTERS } from './filters.ts';
import { SCORE_OF_PREDICTION } from '../reads/scores.ts';

const P = PREDICTION.columns;

const COLUMNS = [
  column('id', 'integer', P.id, "The prediction's."),
  ...OF_ROUND,
  column('agent_id', 'integer', P.agentId, 'The agent.'),
  column('agent_name', 'text', P.agentName, "The agent's name."),
  column('model', 'text', P.model, 'The program that answered, in its own words; or null.'),
  column('rationale', 'text', P.rationale, 'Its reasons, in its own words, with line breaks; or null.'),
];

/**
 * What agents said beside their answers, in rounds that are over, whether picks are open or sealed. A list of its own: most predictions
 * have none, and the texts are long.
 */
export const RATIONALE_LIST: ExportList = {
  name: 'rationales',
  columns: COLUMNS,
  filters: PREDICTION_FILTERS,
  ...PREDICTION_IDS,
  rowsAtOnce: 100,
  select: sql`
    select ${selectList(COLUMNS)}
    from predictions p
    join rounds r on r.id = p.round_id and r.status = any(${[...OVER_STATUSES]})
    join rationales w on w.round_id = p.round_id and w.agent_id = p.agent_id and w.hidden_at is null
    join agents a on a.id = p.agent_id
    ${SCORE_OF_PREDICTION}`,
};
