import { logBounds } from '../feed/event-log.ts';
import { calibrationRequest, fieldCalibration } from '../reads/calibration.ts';
import { fieldsNamed } from '../reads/plan/plan.ts';
import { roundRow } from '../reads/plan/rows.ts';
import { punctualityAt } from '../reads/punctuality.ts';
import { byEntityManager } from '../reads/plan/read-column.ts';
import { arenaRecords } from '../reads/records.ts';
import { countNow, holdersOf, topAgent } from '../reads/stats.ts';
import { fraction, roundHalfAway } from '../rules/fraction.ts';
import { ARENA_POINTS_POOL } from '../rules/round-states.ts';
import { roundRunningAt } from './current-round.ts';
import { agentWith, roundWith } from './planned.ts';
import type { Resolvers } from './schema-types.ts';

const ACTIVE = roundRow(fieldsNamed('id', 'totalEntries'));

export const platformResolvers = {
  Query: {
    health: (_root, _args, { services: { clock, market, picks, version } }) => ({
      status: 'ok',
      service: 'Hourcast',
      timestamp: clock.now(),
      version,
      marketSource: market.source,
      warning: market.warning,
      picks,
      sources: market.status(),
      clock: { now: clock.now(), speed: clock.speed },
    }),

    records: (_root, _args, { services: { read } }) => read(arenaRecords),

    async stats(_root, _args, context) {
      const { em, services } = context;
      const now = services.clock.now();
      const read = byEntityManager(em);
      const active = await roundRunningAt(now, { row: ACTIVE, read, reconcile: services.reconcile, readAgain: read });
      const counts = await countNow(em, { now, picks: services.picks });
      const holders = await holdersOf(em, counts.agents);
      const top = await topAgent(em);
      const predictions = counts.decidedPredictions + counts.openPredictions;
      const confident = counts.decidedPredictions + counts.openConfident;
      const confidences = counts.decidedConfidences + counts.openConfidences;
      const avgConfidencePct = confident === 0 ? null : Number(roundHalfAway(fraction(confidences, confident), 2));
      return {
        totalAgents: counts.agents,
        totalCompetitions: counts.resolvedRounds,
        totalPredictions: predictions,
        activeRound: active !== null,
        activeRoundId: active?.id ?? null,
        activeEntries: active?.totalEntries ?? 0,
        arenaPointsPerRound: ARENA_POINTS_POOL,
        topAgent: top?.name ?? null,
        topAgentCredential: top?.tier ?? null,
        avgConfidence: avgConfidencePct,
        avgConfidencePct,
        skilled: counts.skilled,
        credentialHolders: holders,
      };
    },
  },
  Health: {
    lastSeq: async (_health, _args, { em }) => (await logBounds(em)).lastSeq,
  },
  Stats: {
    calibration: (_stats, args, { services: { read } }) => read((em) => fieldCalibration(em, calibrationRequest(args))),
    punctuality: (_stats, _args, { services: { read, clock } }) =>
      read((em) => punctualityAt(em, clock.now(), clock.speed)),
  },
  Records: {
    longestStreak: ({ streakAgentId: id }, _args, context, info) => (id === null ? null : agentWith(id, context, info)),
    biggestUpset: ({ upsetRoundId: id }, _args, context, info) => (id === null ? null : roundWith(id, context, info)),
    closestCall: ({ closest }) => closest,
  },
  CloseCall: {
    round: ({ roundId }, _args, context, info) => roundWith(roundId, context, info),
  },
  Skilled: { agents: ({ looking }) => looking },
} satisfies Resolvers;
