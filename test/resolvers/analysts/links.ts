import { beforeAll, describe, expect, test } from '@jest/globals';

import { dataOf } from '../../support/asking.ts';
import type { Played, PlayedField } from '../../support/played-field.ts';

let field: PlayedField;

export function describeLinks(played: () => Played): void {
  describe('links', () => {
    beforeAll(() => {
      ({ field } = played());
    });

    test('a round links to its predictions, and each of them to the round', async () => {
      const { rounds } = await dataOf(
        field.service,
        '{ rounds(status: resolved) { nodes { id predictions { nodes { roundId round { id } } } } } }',
      );
      expect(rounds.nodes).toHaveLength(10);
      for (const { id, predictions } of rounds.nodes) {
        expect(predictions.nodes.length).toBeGreaterThan(0);
        for (const prediction of predictions.nodes) expect(prediction).toEqual({ roundId: id, round: { id } });
      }
    });

    test('an agent links to its predictions, and each of them to the agent', async () => {
      const { agents } = await dataOf(
        field.service,
        '{ agents { nodes { id name predictions { nodes { agentId agentName agent { id name } } } } } }',
      );
      expect(agents.nodes).toHaveLength(field.agents.length);
      for (const { id, name, predictions } of agents.nodes) {
        expect(predictions.nodes.length).toBeGreaterThan(0);
        for (const prediction of predictions.nodes)
          expect(prediction).toEqual({ agentId: id, agentName: name, agent: { id, name } });
      }
    });

    test('a prediction is the same from the round, the agent and the list', async () => {
      const figures =
        'id prediction confidence submittedAt score isCorrect streakBonus place arenaPoints pnlUsd replayed';
      const { predictions } = await dataOf(
        field.service,
        `{ predictions(first: 3, status: resolved) { nodes { ${figures}
         round { predictions(first: 40) { nodes { ${figures} } } }
         agent { predictions(first: 40) { nodes { ${figures} } } recentPredictions { ${figures} } } } } }`,
      );
      expect(predictions.nodes).toHaveLength(3);
      for (const { round, agent, ...prediction } of predictions.nodes) {
        expect(prediction.place).toBeGreaterThan(0);
        for (const list of [round.predictions.nodes, agent.predictions.nodes, agent.recentPredictions])
          expect(list).toContainEqual(prediction);
      }
    });

    test('a board links to agents, whose standing has the same rank', async () => {
      const { leaderboard } = await dataOf(
        field.service,
        '{ leaderboard { rankings { rank name agent { id name standing { rank } } } } }',
      );
      expect(leaderboard.rankings).toHaveLength(field.agents.length);
      for (const { rank, name, agent } of leaderboard.rankings) {
        expect(agent).toMatchObject({ name, standing: { rank } });
      }
    });

    test('a decided round has its candles as text, an open one has none', async () => {
      const { rounds } = await dataOf(
        field.service,
        `{ rounds(first: 16) { nodes { status startTime source
         assets { symbol startPriceUsd endPriceUsd highUsd lowUsd }
         agreedCandles { symbol hourStart openUsd closeUsd highUsd lowUsd volume }
         evidence { symbol source hourStart openUsd closeUsd highUsd lowUsd volume counted leftOut } } } }`,
      );
      expect(new Set(rounds.nodes.map(({ status }: { status: string }) => status))).toEqual(
        new Set(['upcoming', 'active', 'resolved']),
      );
      for (const { status, startTime, source, assets, agreedCandles, evidence } of rounds.nodes) {
        if (status !== 'resolved') {
          expect([agreedCandles, evidence]).toEqual([[], []]);
          continue;
        }
        expect(evidence).toEqual(
          agreedCandles.map((candle: object) => ({ ...candle, source, counted: true, leftOut: null })),
        );
        for (const { symbol, startPriceUsd, endPriceUsd, highUsd, lowUsd } of assets) {
          const agreed = agreedCandles.find(
            (candle: Record<string, string>) => candle['symbol'] === symbol && candle['hourStart'] === startTime,
          );
          const figures = [agreed.openUsd, agreed.closeUsd, agreed.highUsd, agreed.lowUsd];
          expect(figures.map(Number)).toEqual([startPriceUsd, endPriceUsd, highUsd, lowUsd]);
          for (const figure of [...figures, agreed.volume]) expect(figure).toMatch(/^\d+(\.\d+)?$/);
        }
      }
    });
  });
}
