import { defineEntity, p } from '@mikro-orm/postgresql';

import { PERIODS } from '../rules/windows.ts';
import { TEXT_LENGTHS } from '../rules/agent-texts.ts';
import { groupSums } from './daily-tally.ts';
import { Prediction } from './prediction.ts';
import { checksAdded, index } from './table-parts.ts';

/** The rationale and model of an answer, written with the prediction and public once the round is over. */
export const Rationale = defineEntity({
  name: 'Rationale',
  tableName: 'rationales',
  properties: {
    prediction: () =>
      p.manyToOne(Prediction).mapToPk().joinColumns('round_id', 'agent_id').createForeignKeyConstraint(false).primary(),
    rationale: p.string().length(TEXT_LENGTHS.rationale).nullable(),
    /** A language model or a program. */
    model: p.string().length(TEXT_LENGTHS.model).nullable(),
    /** The time at which an operator hid both for good. */
    hiddenAt: p.datetime(3).nullable(),
  },
  triggers: [checksAdded('rationales', { name: 'rationales_prediction_foreign', refuse: 'refuse_unanswered' })],
  checks: [{ name: 'rationales_some_check', expression: 'rationale is not null or model is not null' }],
  indexes: [index('rationales_agent', '"rationales" ("agent_id", "round_id")')],
});

/** Sums of the scored predictions that name a model, by window; updated after a resolution, with `lead_tallies`. */
export const ModelSums = defineEntity({
  name: 'ModelSums',
  tableName: 'model_sums',
  properties: {
    model: p.string().length(TEXT_LENGTHS.model).primary(),
    period: p.enum(PERIODS).primary(),
    ...groupSums(),
  },
  indexes: [
    // For the most frequent models, without a scan of the others.
    index('model_sums_most', '"model_sums" ("period", "n" desc, "model")'),
  ],
});
