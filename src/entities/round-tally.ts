import { defineEntity, p } from '@mikro-orm/core';

import { appendOnly } from './append-only.ts';
import { Round } from './round.ts';

/** How many predictions of a decided round, resolved or void, gave this answer with this confidence. Never changed. */
const RoundTallySchema = defineEntity({
  name: 'RoundTally',
  tableName: 'round_tallies',
  properties: {
    roundId: () =>
      p.manyToOne(Round).primary().mapToPk().joinColumn('round_id').deleteRule('no action').updateRule('no action'),
    prediction: p.string().length(8).primary(),
    /** Percent, 0-100. */
    confidence: p.smallint().primary(),
    n: p.integer(),
  },
  triggers: [appendOnly('round_tallies')],
  checks: [{ name: 'round_tallies_n_check', expression: 'n > 0' }],
});

export class RoundTally extends RoundTallySchema.class {}
RoundTallySchema.setClass(RoundTally);
