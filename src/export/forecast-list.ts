import { type Expression, sql, type SqlBool } from 'kysely';

import { element } from '../reads/fragments.ts';
import { byAlias } from '../reads/plan/by-alias.ts';
import { parts } from '../reads/plan/parts.ts';
import { type Column as Planned, instant, plain } from '../reads/plan/plan.ts';
import { ROUND } from '../reads/plan/round.ts';
import { IN_FORCE } from '../reads/scores.ts';
import { CANDIDATES } from '../rules/forecast/candidates.ts';
import { type Column, column } from './columns.ts';
import { type ExportList, figures, idsOfRound, OF_ROUND } from './export-list.ts';
import { ROUND_FILTERS } from './filters.ts';

const R = ROUND.columns;
const { f, s } = byAlias({ f: 'round_forecasts', s: 'forecast_scores' });

const FORECAST_IDS = idsOfRound(60, f('minute'));

/** The probabilities of an expert, counted from 1. */
function expert(rank: number): Planned<readonly string[] | null> {
  const k = parts.fn('cardinality', [f('probabilities')]);
  return figures(sql`${f('said')}[(${sql.lit(rank - 1)} * ${k} + 1):(${sql.lit(rank)} * ${k})]`);
}

/** Null without predictions: there the second expert repeats the price. */
const CROWD = {
  ...expert(2),
  sql: parts.case().when(f('entries'), '>', sql.lit(0)).then(expert(2).sql).end(),
};

/** The newest recorded forecast `f` of a round. */
export const LAST_FORECAST: readonly Column[] = [
  column(
    'forecast_minute',
    'integer',
    plain(f('minute')),
    'The last recorded checkpoint, which the next three columns are of; or null.',
  ),
  column(
    'forecast',
    'numbers',
    figures(f('probabilities')),
    "The arena's forecast then, 0-1, in the order of the choices; or null.",
  ),
  column('price', 'numbers', expert(1), 'The forecast from the price alone then, 0-1; or null.'),
  column('crowd', 'numbers', CROWD, 'The plain mean of all predictions then, 0-1; null where there was none.'),
];

/** The columns of `/api/export/forecasts`: recorded forecasts `f`, their rounds `r` and scores `s`. */
const FORECAST_COLUMNS: readonly Column[] = [
  column('id', 'integer', plain(FORECAST_IDS.id), '60 x the round + the minute, ascending with time.'),
  ...OF_ROUND,
  column('round_status', 'text', R.status, 'active, resolving, resolved or void.'),
  column('minute', 'integer', plain(f('minute')), 'The checkpoint: 5, 15, 30, 45 or 55.'),
  column('recorded_at', 'instant', instant(f('recorded_at')), 'When it was recorded, UTC.'),
  column('decided_until', 'instant', instant(f('decided_until')), 'The newest decision that it includes, UTC.'),
  column('entries', 'integer', plain(f('entries')), 'The number of predictions that it uses.'),
  column('choices', 'list', R.choices, 'The answers, in the order of the probabilities.'),
  column('probabilities', 'numbers', figures(f('probabilities')), 'The forecast, 0-1.'),
  column('price', 'numbers', expert(1), 'The forecast from the price alone, 0-1.'),
  column(
    'crowd',
    'numbers',
    CROWD,
    'The plain mean of all predictions, 0-1; null without any, and the price then counts by its weight.',
  ),
  ...CANDIDATES.slice(1).map((name, index) =>
    column(name, 'numbers', expert(index + 3), 'The forecast of the candidate with this name, 0-1.'),
  ),
  column('weights', 'numbers', figures(f('weights')), 'The weights of price, crowd and these candidates, 0-1.'),
  column('outcome', 'text', R.outcome, 'The winning answer; null until resolved.'),
  column(
    'brier',
    'number',
    plain(s('brier')),
    'Brier score of the forecast, summed over all answers, 0-2; null until resolved.',
  ),
  column(
    'price_brier',
    'number',
    plain(element<number>(s('expert_briers'), sql.lit(1))),
    'Brier score of the price, summed over all answers, 0-2; null until resolved.',
  ),
  column(
    'crowd_brier',
    'number',
    plain(element<number>(s('expert_briers'), sql.lit(2))),
    'Brier score of the crowd, 0-2; without a crowd that of the price; null until resolved.',
  ),
];

/** `shown` is the condition on rounds `r` whose forecasts are public. */
export function forecastsOf(shown: Expression<SqlBool>): ExportList {
  return {
    name: 'forecasts',
    columns: FORECAST_COLUMNS,
    filters: ROUND_FILTERS,
    ...FORECAST_IDS,
    rows: parts
      .selectFrom('round_forecasts as f')
      .innerJoin('rounds as r', (join) => join.onRef('r.id', '=', 'f.round_id').on(shown))
      .leftJoin('forecast_scores as s', (join) =>
        join.onRef('s.round_id', '=', 'f.round_id').onRef('s.minute', '=', 'f.minute').on(IN_FORCE),
      ),
  };
}
