import { describe, expect, test } from '@jest/globals';
import { executeSync, parse } from 'graphql';

import { ARCHIVED_PLACES } from '../../src/entities/archive.ts';
import { weighs } from '../../src/graphql/field-weights.ts';
import { LIST_BOUNDS } from '../../src/graphql/list-bounds.ts';
import { PAGE_SIZES } from '../../src/limits.ts';
import { SOURCE_NAMES } from '../../src/market/live/exchanges/exchange.ts';
import { makeSchema } from '../../src/resolvers/schema.ts';
import { ASSETS } from '../../src/rules/assets.ts';
import { CANDIDATES } from '../../src/rules/forecast/candidates.ts';
import { CHECKPOINTS } from '../../src/rules/forecast/forecast.ts';
import { BINS } from '../../src/rules/forecast/reliability.ts';
import { HOUR, MINUTE } from '../../src/rules/hours.ts';
import { QUESTION_TYPES } from '../../src/rules/questions/question.ts';
import { KEPT_TRIES, MAX_WEBHOOKS } from '../../src/rules/webhooks.ts';
import { PERIODS } from '../../src/rules/windows.ts';
import { documentCost } from './document-cost.ts';

const meter = documentCost(makeSchema());
const costOf = (query: string, variables = {}) => meter({ document: parse(query), variables })?.used;

/** Fields that read an agent's record, each with one point or figure of it. */
const RECORDS: readonly ((args: string) => string)[] = [
  (args) => `{ agent(id: 1) { pnlHistory(points: 1, ${args}) { value } } }`,
  (args) => `{ agent(id: 1) { pointsHistory(points: 1, ${args}) { value } } }`,
  (args) => `{ agent(id: 1) { edgeHistory(points: 1, ${args}) { value } } }`,
  (args) => `{ agent(id: 1) { calibration(${args}) { n } } }`,
  (args) => `{ headToHead(a: 1, b: 2, ${args}) { n } }`,
];

describe.each(RECORDS.map((of) => ({ of, name: of('...') })))('$name', ({ of }) => {
  test('a record costs 1 more for each 100 rounds of the window, up to a year', () => {
    const [daily = 0, ...others] = PERIODS.map((window) => costOf(of(`window: ${window}`)) ?? 0);
    expect(others.map((cost) => cost - daily)).toEqual([2 - 1, 8 - 1, 88 - 1]);
  });

  test('a record without a window costs as much as alltime, also by a variable', () => {
    const alltime = costOf(of('window: alltime'));
    expect(costOf(of('window: null'))).toBe(alltime);
    expect(costOf(of('').replace('()', '').replace(', )', ')'))).toBe(alltime);
    const query = of('window: $window').replace('{', 'query ($window: Period) {');
    expect(costOf(query, { window: 'alltime' })).toBe(alltime);
    expect(costOf(query, { window: 'daily' })).toBe(costOf(of('window: daily')));
  });
});

test('lists without a size argument count for as many items as the rules allow', () => {
  const choices = ASSETS.length;
  const candles = SOURCE_NAMES.length * ASSETS.length;
  expect(LIST_BOUNDS).toMatchObject({
    'Agent.webhooks': MAX_WEBHOOKS,
    'Amendment.agreedCandles': ASSETS.length,
    'Amendment.evidence': candles,
    'ArchivedLeaderboard.rankings': ARCHIVED_PLACES,
    'Crowd.answers': choices,
    'CrowdPoint.shares': choices,
    'Forecast.candidates': CANDIDATES.length,
    'Forecast.crowd': choices,
    'Forecast.price': choices,
    'Forecast.probabilities': choices,
    'ForecastCandidate.probabilities': choices,
    'ForecastCheckpoint.calibration': BINS,
    'ForecastRecord.checkpoints': CHECKPOINTS.length,
    'Health.sources': SOURCE_NAMES.length,
    'Market.assets': ASSETS.length,
    'OwnRounds.rounds': PAGE_SIZES.ownRounds.max,
    'Prediction.reference': choices,
    'Query.benchmark': PERIODS.length * CHECKPOINTS.length,
    'ReferencePoint.prices': ASSETS.length,
    'ReferencePoint.probabilities': choices,
    'Round.agreedCandles': ASSETS.length,
    'Round.assets': ASSETS.length,
    'Round.crowdHistory': HOUR / MINUTE,
    'Round.evidence': candles,
    'Round.forecasts': CHECKPOINTS.length,
    'StandingPredictions.rows': 2 * QUESTION_TYPES.length,
    'Webhook.deliveries': KEPT_TRIES,
  });
});

test('introspection costs 2 for each listed item, as many as graphql-js returns', () => {
  const all = '(includeDeprecated: true)';
  const query = `{ __schema { directives { args${all} { name } } types { interfaces { name } possibleTypes { name }
    fields${all} { args${all} { name } } enumValues${all} { name } inputFields${all} { name } } } }`;
  const { data } = executeSync({ schema: makeSchema(), document: parse(query) });
  let items = 0;
  JSON.stringify(data, (_name, value: unknown) => {
    if (Array.isArray(value)) items += value.length;
    return value;
  });
  // Means may leave a rest, which is rounded up.
  expect((costOf(query) ?? 0) - 5_001 - 2 * items).toBeLessThanOrEqual(1);
  expect(costOf(query)).toBeGreaterThanOrEqual(5_001 + 2 * items);
});

test('the cost of a document is cached per window', () => {
  expect(weighs('window')).toBe(true);
});

const ofAgents = (first: number) => `{ agents(first: ${first}) { nodes { pnlHistory(points: 1) { value } } } }`;

test('no query reads the records of a hundred agents over all time', () => {
  expect(costOf(ofAgents(71))).toBe(1 + 71 * (50 + 88 + 1));
  expect(() => costOf(ofAgents(97))).toThrow('The query asks for too much: cost 13,484, at most 10,000.');
});

/** Each as many as fit: what the second asks for beside it does not. */
test.each([
  {
    name: 'the stored prices of at most 19 rounds',
    most: '{ rounds(first: 19) { nodes { quotes { points prices highs lows } } } }',
    more: '{ rounds(first: 20) { nodes { quotes { points prices highs lows } } } }',
  },
  {
    name: 'one list of prices of at most 33 rounds, under whatever names',
    most: '{ rounds(first: 33) { nodes { quotes { prices } } } }',
    more: '{ rounds(first: 25) { nodes { quotes { a: prices b: prices c: prices } } } }',
  },
  {
    name: 'the forecasts of 49 rounds at two minutes each',
    most: '{ rounds(first: 49) { nodes { a: forecast(minute: 1) { at } b: forecast(minute: 2) { at } } } }',
    more: '{ rounds(first: 50) { nodes { a: forecast(minute: 1) { at } b: forecast(minute: 2) { at } } } }',
  },
  {
    name: 'some 300 covariances',
    most: '{ rounds(first: 100) { nodes { a: referenceBasis { covariance } b: referenceBasis { covariance } c: referenceBasis { covariance } } } }',
    more: '{ rounds(first: 100) { nodes { referenceBasis { a: covariance b: covariance c: covariance d: covariance e: covariance } } } }',
  },
])('a query can read $name', ({ most, more }) => {
  expect(costOf(most)).toBeLessThanOrEqual(10_000);
  expect(() => costOf(more)).toThrow('The query asks for too much: cost');
});

test.each([1, 100])('benchmarks beside %i rows of a board cost as much as the forecast record', (limit) => {
  const board = (selected: string) => costOf(`{ leaderboard(limit: ${limit}) { rankings { rank } ${selected} } }`);
  expect(board('benchmarks { name }')).toBe((board('rankings { name }') ?? Number.NaN) + 50);
  expect(costOf(`subscription { leaderboardUpdated(limit: ${limit}) { benchmarks { name } } }`)).toBe(1 + limit + 50);
});
