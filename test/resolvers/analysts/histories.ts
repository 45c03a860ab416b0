import { beforeAll, describe, expect, test } from '@jest/globals';

import { dataOf } from '../../support/asking.ts';
import { scoredIn, WINDOWS } from '../../oracle/calibration.ts';
import type { Fact, Played, PlayedField } from '../../support/played-field.ts';

let field: PlayedField;
let facts: readonly Fact[];

interface Point {
  readonly at: string;
  readonly roundId: number;
  readonly rounds: number;
  readonly value: number;
  readonly cumulative: number;
}

const POINT = 'at roundId rounds value cumulative';

async function seriesOf(agentId: number, args: string): Promise<{ pnl: readonly Point[]; points: readonly Point[] }> {
  const { agent } = await dataOf(
    field.service,
    `{ agent(id: ${agentId}) { pnl: pnlHistory(${args}) { ${POINT} } points: pointsHistory(${args}) { ${POINT} } } }`,
  );
  return agent;
}

/** The scored rounds of an agent one by one. */
function oneByOne(own: readonly Fact[], valueOf: (fact: Fact) => number): readonly Point[] {
  let cumulative = 0;
  return own.map((fact) => {
    cumulative = Number((cumulative + valueOf(fact)).toFixed(2));
    return { at: fact.end.toISOString(), roundId: fact.roundId, rounds: 1, value: valueOf(fact), cumulative };
  });
}

const pnlOf = ({ pnl }: Fact): number => pnl ?? 0;
const pointsOf = ({ score, streakBonus }: Fact): number => (score ?? 0) + (streakBonus ?? 0);

export function describeHistories(played: () => Played): void {
  describe('histories', () => {
    beforeAll(() => {
      ({ field, facts } = played());
    });

    describe.each(WINDOWS)('%s window', (window) => {
      test('a history has a point for each scored round, in order of time', async () => {
        for (const agentId of field.agents) {
          const own = scoredIn(facts, window).filter((fact) => fact.agentId === agentId);
          const { pnl, points } = await seriesOf(agentId, `window: ${window}`);
          expect(pnl).toEqual(oneByOne(own, pnlOf));
          expect(points).toEqual(oneByOne(own, pointsOf));
        }
      });

      test('the edge history has each prediction with an edge', async () => {
        const { agents } = await dataOf(
          field.service,
          `{ agents { nodes { id edgeHistory(window: ${window}, points: 150) { ${POINT} } } } }`,
        );
        for (const { id, edgeHistory } of agents.nodes) {
          const own = scoredIn(facts, window).filter(({ agentId, edge }) => agentId === id && edge !== null);
          expect(edgeHistory.map(({ roundId }: Point) => roundId)).toEqual(own.map(({ roundId }) => roundId));
          expect(edgeHistory.map(({ value }: Point) => value)).toEqual(own.map(({ edge }) => edge));
          const sum = own.reduce((before, { edge }) => before + (edge ?? 0), 0);
          expect(edgeHistory.at(-1)?.cumulative ?? 0).toBeCloseTo(sum, 6);
        }
      });

      test('the last sum of a history equals the standing', async () => {
        const { agents } = await dataOf(
          field.service,
          `{ agents { nodes { pnlHistory(window: ${window}) { cumulative } pointsHistory(window: ${window}) { cumulative }
           standing(period: ${window}) { simPnlTotal totalPoints } } } }`,
        );
        for (const { pnlHistory, pointsHistory, standing } of agents.nodes) {
          expect(pnlHistory.at(-1).cumulative).toBe(standing.simPnlTotal);
          expect(pointsHistory.at(-1).cumulative).toBe(standing.totalPoints);
        }
      });
    });

    test.each([1, 2, 5, 7, 20, 500])('at most %d points cover all rounds without a gap', async (most) => {
      const own = scoredIn(facts, 'alltime').filter(({ agentId }) => agentId === 2);
      const single = oneByOne(own, pointsOf);
      const { points, pnl } = await seriesOf(2, `points: ${most}`);
      expect(points.length).toBeLessThanOrEqual(most);
      expect(points.length).toBeGreaterThan(Math.min(most, own.length) / 2);
      expect(pnl.map(({ roundId }) => roundId)).toEqual(points.map(({ roundId }) => roundId));

      const size = Math.ceil(own.length / most);
      expect(points.slice(1).every(({ rounds }) => rounds === size)).toBe(true);
      let taken = 0;
      for (const point of points) {
        const within = single.slice(taken, taken + point.rounds);
        taken += point.rounds;
        const last = within.at(-1);
        expect(point).toEqual({
          ...last,
          rounds: within.length,
          value: within.reduce((sum, { value }) => sum + value, 0),
        });
      }
      expect(taken).toBe(own.length);
    });

    test('a point of a history links to its round', async () => {
      const { agent } = await dataOf(
        field.service,
        '{ agent(id: 1) { pnlHistory { at roundId round { id endTime } } } }',
      );
      for (const { at, roundId, round } of agent.pnlHistory) expect(round).toEqual({ id: roundId, endTime: at });
    });
  });
}
