import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { byAsset } from '../../src/rules/assets.ts';
import { edgeOf as ruledEdge } from '../../src/rules/edge.ts';
import { fraction } from '../../src/rules/fraction.ts';
import { addHours } from '../../src/rules/hours.ts';
import { planOf, questionOf } from '../../src/rules/questions/asking.ts';
import { outcomeOf, resolutionValue } from '../../src/rules/questions/deciding.ts';
import type { HistoryHour } from '../../src/rules/questions/question.ts';
import { arenaPointsFor, byPlace, ranked, winRatePct } from '../../src/rules/ranking.ts';
import { pnlUsd, scoreOf as ruledScore, streakBonus } from '../../src/rules/scoring.ts';
import { tierOf as ruledTier } from '../../src/rules/tiers.ts';
import { RULES_VERSION } from '../../src/rules/versions.ts';
import { inWindow } from '../../src/rules/windows.ts';
import { PERIODS, rankingsOf } from './boards.ts';
import { asNumber } from './decimals.ts';
import { HOUR } from './hours.ts';
import { ledgerOf } from './ledger.ts';
import { verdictOf } from './questions.ts';
import { arenaPointsOf, edgeOf, placed, pnlCentsOf, scoreOf, streakBonusOf, winRateOf } from './scores.ts';
import { NO_EDGES, tierOf, withEdge } from './tiers.ts';

/*
 * The oracle and the rules are written apart, and are held to each other here. What they say is worked out by hand in
 * test/rules; what the service makes of it is compared with the oracle elsewhere.
 */

const confidence = fc.oneof(fc.nat(100), fc.constantFrom(0, 12, 49, 50, 79, 80, 100));
const choiceCount = fc.constantFrom(2, 4, 8);

test('the oracle has the same score and P&L for every confidence', () => {
  for (const choices of [2, 4, 8]) {
    for (let stated = 0; stated <= 100; stated += 1) {
      for (const correct of [true, false]) {
        expect(scoreOf(stated, correct)).toBe(ruledScore(stated, correct));
        expect(asNumber(pnlCentsOf(choices, stated, correct), 2)).toBe(Number(pnlUsd(stated, choices, correct)));
      }
    }
  }
});

test('the oracle has the same value for every streak, place and share of wins', () => {
  for (let n = 1; n <= 40; n += 1) {
    expect([streakBonusOf(n), arenaPointsOf(n)]).toEqual([streakBonus(n), arenaPointsFor(n)]);
    for (let wins = 0; wins <= n; wins += 1) expect(asNumber(winRateOf(wins, n), 2)).toBe(winRatePct(wins, n));
  }
});

test('the oracle has the same order of predictions in a round', () => {
  const entry = fc.record({ confidence, correct: fc.boolean(), second: fc.nat(2) });
  fc.assert(
    fc.property(fc.array(entry), (entries) => {
      const given = entries.map(({ second, ...one }, id) => ({
        ...one,
        id,
        score: scoreOf(one.confidence, one.correct),
        submittedAt: new Date(1000 * second),
      }));
      const texts = given.map((one) => ({ ...one, submittedAt: one.submittedAt.toISOString() }));
      expect(placed(texts).map(({ id }) => id)).toEqual(given.toSorted(byPlace).map(({ id }) => id));
    }),
  );
});

test('the oracle has the same edge to the last millionth', () => {
  const weights = fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 8, maxLength: 8 });
  fc.assert(
    fc.property(choiceCount, weights, confidence, fc.nat(7), fc.nat(7), (count, all, stated, pick, winner) => {
      const choices = Array.from({ length: count }, (_, place) => `answer ${place}`);
      const total = all.slice(0, count).reduce((sum, weight) => sum + weight, 0);
      const said = all.slice(0, count).map((weight) => weight / total);
      const [pickIndex, winnerIndex] = [pick % count, winner % count];
      const prediction = choices[pickIndex] ?? '';
      const own = edgeOf({ choices, said, prediction, confidence: stated }, choices[winnerIndex] ?? '');
      const ruled = ruledEdge(said, { confidence: stated, pickIndex }, { winnerIndex, version: RULES_VERSION });
      // Each side is rounded to a millionth before.
      expect(Math.abs(Number(own) / 1e6 - ruled)).toBeLessThan(1.001e-6);
    }),
  );
});

const near = (bound: number) => fc.constantFrom(bound - 1, bound, bound + 1);

test('the oracle has the same tier for a record', () => {
  const points = fc.oneof(near(5_000), near(25_000), near(75_000));
  const competitions = fc.oneof(near(50), near(240), near(720));
  fc.assert(
    fc.property(points, competitions, fc.array(fc.integer({ min: -1500, max: 1800 })), (total, rounds, thousandths) => {
      const edges = thousandths.map((one) => BigInt(1000 * one)).reduce(withEdge, NO_EDGES);
      // As many as the rounds are: the same again and again.
      const n = BigInt(rounds);
      const all = { n, sum: n * edges.sum, squares: n * edges.squares };
      const [edgeSum, edgeSquareSum] = [fraction(all.sum, 10n ** 6n), fraction(all.squares, 10n ** 12n)];
      expect(tierOf(total, rounds, all)).toBe(
        ruledTier({ points: total, competitions: rounds, standing: 0, edges: rounds, edgeSum, edgeSquareSum }),
      );
    }),
  );
});

const NOW = new Date('2026-11-21T00:00:00Z');
const QUESTIONS = Array.from({ length: 13 * 16 }, (_, hour) => {
  const start = addHours(NOW, hour);
  return questionOf(planOf(start), start, []);
});

/** In steps of a percent of opens that differ, so that ties and thresholds are met exactly; now and then there is none. */
const candle = fc
  .record({ open: fc.constantFrom(100, 200), end: fc.integer({ min: -3, max: 3 }), up: fc.nat(1), down: fc.nat(1) })
  .map(({ open, end, up, down }) => {
    const at = (percent: number): string => String(open + (open / 100) * percent);
    return { open: at(0), high: at(Math.max(0, end) + up), low: at(Math.min(0, end) - down), close: at(end) };
  });
const hour = fc.record(byAsset(() => fc.option(candle, { freq: 40, nil: undefined })));

test('the oracle has the same outcome of every question type, and the same number', () => {
  const questions = fc.constantFrom(...QUESTIONS).chain((question) =>
    fc.record({
      question: fc.constant(question),
      percent: fc.constantFrom('1', '1.5', '2'),
      count: fc.integer({ min: 1, max: 8 }),
    }),
  );
  fc.assert(
    fc.property(questions, hour, hour, ({ question, percent, count }, now, before) => {
      const { thresholdPct, n, operator, subject } = question.params;
      const threshold = thresholdPct === null ? null : thresholdPct.startsWith('-') ? `-${percent}` : percent;
      const params = { ...question.params, thresholdPct: threshold, n: n && count };
      const candles = (symbol: string, at: number) => unitsOf(at === 1 ? now : before, symbol);
      const { questionType: type, choices } = question;
      const facts = {
        id: 1,
        hour: 1,
        type,
        choices,
        subject,
        operator,
        thresholdPct: threshold === null ? null : Number(threshold),
      };
      const own = verdictOf({ ...facts, n: params.n }, candles);
      const ruled = outcomeOf({ ...question, params }, present(now), present(before));
      if (ruled.kind === 'void') expect(own).toEqual({ status: 'void', reason: ruled.reason });
      else {
        const value = resolutionValue(question, ruled.answer);
        expect(own).toEqual({ status: 'resolved', outcome: ruled.answer, resolutionValue: value });
      }
    }),
    { numRuns: 1000 },
  );
});

type Hour = Readonly<Record<string, HistoryHour['BTC']>>;

function present(prices: Hour): HistoryHour {
  return Object.fromEntries(Object.entries(prices).filter(([, one]) => one !== undefined));
}

function unitsOf(prices: Hour, symbol: string) {
  const one = prices[symbol];
  return one && { open: BigInt(one.open), high: BigInt(one.high), low: BigInt(one.low), close: BigInt(one.close) };
}

const rising = () => ({ open: 100n, high: 102n, low: 99n, close: 101n });

test('the oracle has the same rounds on a board, with the same order and ranks', () => {
  const bet = fc.record({ agent_id: fc.integer({ min: 1, max: 5 }), isYes: fc.boolean(), confidence });
  const round = fc.record({
    gap: fc.constantFrom(1, 23, 24, 25, 7 * 24 - 1, 7 * 24, 30 * 24, 30 * 24 + 1),
    bets: fc.uniqueArray(bet, { selector: (one) => one.agent_id }),
  });
  const names = new Map([1, 2, 3, 4, 5].map((id) => [id, String(id)]));
  fc.assert(
    fc.property(fc.array(round, { minLength: 1, maxLength: 8 }), (rounds) => {
      let at = 0;
      const decided = rounds.map(({ gap }, place) => {
        const question = { subject: 'BTC', operator: '>', thresholdPct: null, n: null, choices: ['YES', 'NO'] };
        return { ...question, id: place + 1, type: 'direction', hour: (at += gap) } as const;
      });
      const accepted = rounds.flatMap(({ bets }, place) =>
        bets.map(({ isYes, ...one }) => ({
          ...one,
          id: 10 * place + one.agent_id,
          round_id: place + 1,
          prediction: isYes ? 'YES' : 'NO',
          submitted_at: '',
        })),
      );
      const { resolved, ...ledger } = ledgerOf(decided, { accepted, said: new Map() }, rising);
      const newest = new Date(at * HOUR);
      for (const period of PERIODS) {
        const inside = resolved.filter(({ facts }) => inWindow(period, newest, new Date(facts.hour * HOUR)));
        const byAgent = Map.groupBy(
          inside.flatMap(({ scored }) => scored),
          ({ agent }) => agent,
        );
        const rows = [...byAgent].map(([id, scores]) => ({
          id,
          points: scores.reduce((sum, { score, streakBonus: bonus }) => sum + score + bonus, 0),
          wins: scores.filter(({ correct }) => correct).length,
        }));
        const own = rankingsOf({ resolved, ...ledger }, names, resolved.length, period);
        expect(own.map((row) => [row['rank'], row['name']])).toEqual(
          ranked(rows).map(({ rank, id }) => [rank, String(id)]),
        );
      }
    }),
  );
});
