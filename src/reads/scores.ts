import { UnderscoreNamingStrategy } from '@mikro-orm/postgresql';
import { expressionBuilder, type RawBuilder } from 'kysely';

import { scoreFigures } from '../entities/score.ts';
import type { Row } from '../entities/tables.ts';
import { type AliasedTables, compiled } from './fragments.ts';
import { parts } from './plan/parts.ts';
import { typedValue } from './plan/plan.ts';

const NAMES = new UnderscoreNamingStrategy();

type ScoreFigure = Exclude<keyof Row<'corrected_scores'>, 'round_id' | 'agent_id' | 'counted'>;

/** The columns of a score that a decision of its round changes. */
export const SCORE_FIGURES = typedValue<readonly ScoreFigure[]>([
  'place',
  ...Object.keys(scoreFigures()).map((name) => NAMES.propertyToColumnName(name)),
]).value;

export const SCORE_COLUMNS = ['round_id', 'agent_id', 'confidence', 'standing', ...SCORE_FIGURES] as const;

/** The scores in force, with the columns of `scores`: as resolution wrote them, or as amended. A void round has none. */
export const SCORES: RawBuilder<Row<'scores'>> = compiled(
  parts
    .selectFrom('scores as s')
    .leftJoin('corrected_scores as c', (on) =>
      on.onRef('c.round_id', '=', 's.round_id').onRef('c.agent_id', '=', 's.agent_id'),
    )
    .where('c.counted', 'is not', false)
    .select(['s.round_id', 's.agent_id', 's.confidence', 's.standing'])
    .select(({ fn }) => SCORE_FIGURES.map((name) => fn.coalesce(`c.${name}`, `s.${name}`).as(name)))
    .$castTo<Row<'scores'>>(),
);

const s = expressionBuilder<AliasedTables<{ s: 'forecast_scores' }>, 's'>();

/** True if a forecast's score `s` is valid: no later amendment exists, and its own did not make the round void. */
export const IN_FORCE = compiled(
  s.not(
    s.exists(
      s
        .selectFrom('amendments as a')
        .whereRef('a.round_id', '=', 's.round_id')
        .where((a) =>
          a.or([
            a('a.amended_at', '>', a.ref('s.decided_at')),
            a.and([a('a.amended_at', '=', a.ref('s.decided_at')), a('a.outcome', 'is', null)]),
          ]),
        ),
    ),
  ),
);
