import { beforeAll, describe, expect, test } from '@jest/globals';

import { dataOf, registered } from '../../support/asking.ts';
import { calibrationByHand, scoredIn, WINDOWS } from '../../oracle/calibration.ts';
import type { Fact, Played, PlayedField } from '../../support/played-field.ts';

let field: PlayedField;
let facts: readonly Fact[];

const FIGURES = `period rank totalPoints totalArenaPoints totalCompetitions totalWins winRate simPnlTotal
  brier referenceBrier skill`;

function pointsOf(facts_: readonly Fact[]): number {
  return facts_.reduce((sum, { score, streakBonus }) => sum + (score ?? 0) + (streakBonus ?? 0), 0);
}

export function describeStandings(played: () => Played): void {
  describe('standings', () => {
    beforeAll(() => {
      ({ field, facts } = played());
    });

    describe.each(WINDOWS)('the %s window', (window) => {
      test('standings equal a recount of ranks and sums', async () => {
        const scored = scoredIn(facts, window);
        const points = new Map(
          field.agents.map((id) => [id, pointsOf(scored.filter(({ agentId }) => agentId === id))]),
        );
        const { agents } = await dataOf(
          field.service,
          `{ agents(first: 100) { nodes { id standing(period: ${window}) { ${FIGURES} } } } }`,
        );
        for (const { id, standing } of agents.nodes) {
          const own = scored.filter(({ agentId }) => agentId === id);
          const { brier, referenceBrier, skill } = calibrationByHand(own);
          const wins = own.filter(({ prediction, outcome }) => prediction === outcome).length;
          const ahead = [...points].filter(
            ([other, sum]) => sum > pointsOf(own) && scored.some(({ agentId }) => agentId === other),
          );
          expect(standing).toMatchObject({
            period: window,
            rank: ahead.length + 1,
            totalPoints: points.get(id),
            totalCompetitions: own.length,
            totalWins: wins,
            brier: expect.closeTo(brier, 9),
            referenceBrier: expect.closeTo(referenceBrier, 9),
            skill: skill === null ? null : expect.closeTo(skill, 9),
          });
        }
      });

      test('a row of the board equals the agent’s own standing', async () => {
        const { leaderboard } = await dataOf(
          field.service,
          `{ leaderboard(period: ${window}, limit: 100) { rankings { rank totalPoints totalArenaPoints totalCompetitions
           totalWins winRate simPnlTotal agent { standing(period: ${window}) { rank totalPoints totalArenaPoints
           totalCompetitions totalWins winRate simPnlTotal } } } } }`,
        );
        expect(leaderboard.rankings).toHaveLength(field.agents.length);
        for (const { agent, ...row } of leaderboard.rankings) expect(agent.standing).toEqual(row);
      });
    });

    test('an agent without predictions has no rank and empty sums', async () => {
      const { id } = await registered(field.service, 'newcomer');
      const { agent } = await dataOf(
        field.service,
        `{ agent(id: ${id}) { standing { ${FIGURES} } totalPoints credentialTier } }`,
      );
      expect(agent).toEqual({
        standing: {
          period: 'weekly',
          rank: null,
          totalPoints: 0,
          totalArenaPoints: 0,
          totalCompetitions: 0,
          totalWins: 0,
          winRate: 0,
          simPnlTotal: 0,
          brier: null,
          referenceBrier: null,
          skill: null,
        },
        totalPoints: 0,
        credentialTier: 'bronze',
      });
    });
  });
}
