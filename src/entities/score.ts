import { defineEntity, p } from '@mikro-orm/core';
import { appendOnly } from './table-parts.ts';
import { Prediction } from './prediction.ts';

/** What a prediction earned. Append-only, written by resolution alone. */
const ScoreSchema = defineEntity({
  name: 'Score',
  tableName: 'scores',
  properties: {
    prediction: () =>
      p
        .oneToOne(Prediction)
        .owner()
        .primary()
        .mapToPk()
        .joinColumns('round_id', 'agent_id')
        .deleteRule('no action')
        .updateRule('no action')
        .foreignKeyName('scores_prediction_foreign'),
    isCorrect: p.boolean(),
    /** Table points and consistency bonus (spec 3.3). */
    score: p.smallint(),
    streakBonus: p.smallint(),
    /** Place in the round, from 1; unique. */
    place: p.integer(),
    arenaPoints: p.smallint(),
    pnlUsd: p.decimal('string').precision(7).scale(2),
    brier: p.decimal('string').precision(5).scale(4),
    referenceBrier: p.decimal('string').precision(7).scale(6),
  },
  triggers: [appendOnly('scores')],
  checks: [{ name: 'scores_pnl_check', expression: "pnl_usd >= '-100'::integer" }],
  indexes: [
    {
      name: 'scores_place_unique',
      expression: 'create unique index "scores_place_unique" on "scores" ("round_id", "place")',
    },
  ],
});

export class Score extends ScoreSchema.class {}
ScoreSchema.setClass(Score);
