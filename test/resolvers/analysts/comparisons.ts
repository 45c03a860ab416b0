import { describe, expect, test } from '@jest/globals';

import { dataOf } from '../../support/asking.ts';
import type { Fact, Played } from '../../support/played-field.ts';
import { brierOf, rounded, scoredIn, WINDOWS } from '../../oracle/calibration.ts';

/** Two agents head to head, and how a crowd has grown. */
export function describeComparisons(played: () => Played): void {
  describe('head to head', () => {
    test('two agents are compared on their common rounds in every window', async () => {
      const { field, facts } = played();
      for (const window of WINDOWS) {
        const query = `{ headToHead(a: 2, b: 5, window: ${window}) { a { id } b { name } n aAhead bAhead even
          brierGain { mean n } edgeGain { mean } pointsGain { mean } pnlGainUsd { mean low high } } }`;
        const { headToHead } = await dataOf(field.service, query);
        const { low, high } = headToHead.pnlGainUsd;
        delete headToHead.pnlGainUsd.low;
        delete headToHead.pnlGainUsd.high;
        const expected = recordByHand(scoredIn(facts, window));
        expect(rounded(headToHead)).toEqual(rounded(expected));
        expect(low === null && high === null).toBe(expected.n < 20);
      }
    });

    test('a comparison with an unknown agent is null, and with oneself even', async () => {
      const { field } = played();
      expect(await dataOf(field.service, '{ headToHead(a: 2, b: 999) { n } }')).toEqual({ headToHead: null });
      const { headToHead } = await dataOf(
        field.service,
        '{ headToHead(a: 2, b: 2) { n even pnlGainUsd { mean low } } }',
      );
      expect(headToHead).toMatchObject({ even: headToHead.n, pnlGainUsd: { mean: 0, low: 0 } });
    });
  });

  describe('crowd history', () => {
    test('crowd history has a point for each minute with predictions', async () => {
      const { field, facts } = played();
      const query = `{ rounds(first: 4, status: [active, resolving, resolved, void]) { nodes { id choices crowd { n }
        crowdHistory { at n shares { answer n share confidenceSum } } } } }`;
      const { rounds } = await dataOf(field.service, query);
      expect(rounds.nodes).toHaveLength(4);
      for (const { id, choices, crowdHistory } of rounds.nodes)
        expect(crowdHistory).toEqual(
          historyByHand(
            facts.filter(({ roundId }) => roundId === id),
            choices,
          ),
        );
    });
  });
}

function recordByHand(facts: readonly Fact[]) {
  const pairs = facts
    .filter(({ agentId }) => agentId === 2)
    .flatMap((a) => facts.filter((b) => b.agentId === 5 && b.roundId === a.roundId).map((b) => ({ a, b })));
  const n = pairs.length;
  const gain = (of: (fact: Fact) => number): number => pairs.reduce((sum, { a, b }) => sum + of(a) - of(b), 0) / n;
  const ahead = pairs.map(({ a, b }) => Math.sign(Number((brierOf(b) - brierOf(a)).toFixed(9))));
  return {
    a: { id: 2 },
    b: { name: 'Agent-5' },
    n,
    aAhead: ahead.filter((sign) => sign > 0).length,
    bAhead: ahead.filter((sign) => sign < 0).length,
    even: ahead.filter((sign) => sign === 0).length,
    brierGain: { mean: -gain(brierOf), n },
    edgeGain: { mean: gain(({ edge }) => edge ?? 0) },
    pointsGain: { mean: gain(({ score, streakBonus }) => (score ?? 0) + (streakBonus ?? 0)) },
    pnlGainUsd: { mean: gain(({ pnl }) => pnl ?? 0) },
  };
}

function minuteOf({ submittedAt, start }: Fact): number {
  return Math.floor((submittedAt.getTime() - start.getTime()) / 60_000);
}

function historyByHand(facts: readonly Fact[], choices: readonly string[]): readonly object[] {
  const minutes = [...new Set(facts.map(minuteOf))].toSorted((one, other) => one - other);
  return minutes.map((minute) => {
    const until = facts.filter((fact) => minuteOf(fact) <= minute);
    const [{ start } = { start: new Date(0) }] = facts;
    return {
      at: new Date(start.getTime() + (minute + 1) * 60_000).toISOString(),
      n: until.length,
      shares: choices.map((answer) => {
        const given = until.filter(({ prediction }) => prediction === answer);
        const confidenceSum = given.reduce((sum, { confidence }) => sum + confidence, 0);
        return { answer, n: given.length, share: given.length / until.length, confidenceSum };
      }),
    };
  });
}
