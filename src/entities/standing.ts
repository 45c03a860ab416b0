import { defineEntity, p } from '@mikro-orm/core';
import { PERIODS } from '../rules/windows.ts';
import { Agent } from './agent.ts';

/** An agent's sums over one window's resolved rounds. Kept by resolution, so that no read adds up history. */
const StandingSchema = defineEntity({
  name: 'Standing',
  tableName: 'standings',
  properties: {
    period: p.enum(PERIODS).primary(),
    agentId: () => p.manyToOne(Agent).primary().mapToPk().joinColumn('agent_id').deleteRule('no action').updateRule('no action'),
    points: p.integer(),
    arenaPoints: p.integer(),
    wins: p.integer(),
    competitions: p.integer(),
    pnlUsd: p.decimal('string').precision(14).scale(2),
    brierSum: p.decimal('string').precision(16).scale(4),
    referenceBrierSum: p.decimal('string').precision(16).scale(6),
  },
  checks: [{ name: 'standings_wins_check', expression: 'wins >= 0 and wins <= competitions' }],
  indexes: [
    {
      name: 'standings_board',
      expression:
        'create index "standings_board" on "standings" ("period", "points" desc, "wins" desc, "agent_id")',
    },
  ],
});

export class Standing extends StandingSchema.class {}
StandingSchema.setClass(Standing);
