import { describe, expect, test } from '@jest/globals';

import { costMeter } from '../../src/graphql/cost.ts';
import { documentChecks } from '../../src/graphql/document-transport.ts';
import { openDocuments } from '../../src/graphql/documents.ts';
import { makeSchema } from '../../src/resolvers/schema.ts';

const schema = makeSchema();
const meter = costMeter(schema);
const check = documentChecks(openDocuments(schema, meter));

const AGENT = `id name mode credentialTier totalPoints totalArenaPoints totalCompetitions totalWins winRate
  simPnlTotal simPnl30d currentStreak bestStreak`;
const PREDICTION = 'id prediction confidence submittedAt score isCorrect streakBonus place arenaPoints pnlUsd';
const ROUND = `id question questionType predictionFormat choices startTime endTime status totalEntries outcome
  resolutionValue voidReason params { subject operator thresholdPct n } assets { symbol startPriceUsd endPriceUsd returnPct }`;

/** The three nested queries that the design measures, with all the figures that one would ask for. */
const EXAMPLES = [
  {
    what: "the top 100 with their agents' figures",
    query: `{ leaderboard(period: alltime, limit: 100) { rankings { rank name totalPoints winRate agent { ${AGENT} } } } }`,
  },
  {
    what: '20 rounds with 10 predictions each and their agents',
    query: `{ rounds(first: 20) { edges { node { ${ROUND} predictions(first: 10) { edges { node { ${PREDICTION} agent { ${AGENT} } } } } } } } }`,
  },
  {
    what: 'an agent with 50 predictions and their rounds',
    query: `{ agent(id: 1) { ${AGENT} predictions(first: 50) { nodes { ${PREDICTION} round { ${ROUND} } } } } }`,
  },
];

const calibrationAs = (alias: string): string => `${alias}: calibration(questionType: [direction]) { n skill }`;

describe('accepted queries', () => {
  test.each(EXAMPLES)('the limits accept $what', ({ query }) => {
    const operation = check({ query });
    if (!('operation' in operation)) throw operation[0] ?? new Error('The query is refused without an error');
    expect(operation.operation.cost({})?.used).toBeLessThan(10_000);
  });
});

describe('refused queries', () => {
  test('the limits refuse 100 rounds with 100 predictions each and their agents’ names', () => {
    const query = '{ rounds(first: 100) { nodes { predictions(first: 100) { nodes { agent { name } } } } } }';
    expect(check({ query })).toEqual([
      expect.objectContaining({ message: 'The query asks for too much: cost 20,501, at most 10,000.' }),
    ]);
  });

  test('the limits refuse five calibrations of 100 agents', () => {
    const query = `{ agents(first: 100) { nodes { ${['a', 'b', 'c', 'd', 'e'].map(calibrationAs).join(' ')} } } }`;
    expect(check({ query })).toEqual([expect.objectContaining({ message: expect.stringMatching(/cost 70,001/) })]);
  });
});
