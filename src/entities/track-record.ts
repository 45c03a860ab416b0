import { defineEntity, p } from '@mikro-orm/core';
import { TIER_NAMES } from '../rules/tiers.ts';
import { Agent } from './agent.ts';

/** What an agent's scored predictions add up to beside the windows' sums: streaks, skill and tier. */
const TrackRecordSchema = defineEntity({
  name: 'TrackRecord',
  tableName: 'track_records',
  properties: {
    agentId: () => p.manyToOne(Agent).primary().mapToPk().joinColumn('agent_id').deleteRule('no action').updateRule('no action'),
    currentStreak: p.integer(),
    bestStreak: p.integer(),
    /** Sum over predictions of d = reference - Brier (decisions: credential tiers). */
    skillSum: p.decimal('string').precision(16).scale(6),
    /** Sum of d squared. */
    skillSquareSum: p.decimal('string').precision(22).scale(12),
    tier: p.enum(TIER_NAMES),
  },
  checks: [
    { name: 'track_records_streak_check', expression: 'current_streak >= 0 and best_streak >= current_streak' },
  ],
  indexes: [
    {
      name: 'track_records_tier',
      expression: `create index "track_records_tier" on "track_records" ("tier") where tier <> 'bronze'`,
    },
  ],
});

export class TrackRecord extends TrackRecordSchema.class {}
TrackRecordSchema.setClass(TrackRecord);
