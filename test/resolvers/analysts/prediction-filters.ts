import { beforeAll, describe, expect, test } from '@jest/globals';

import type { Fact, Played, PlayedField } from '../../support/played-field.ts';
import { idsOf } from './walking.ts';

let field: PlayedField;
let facts: readonly Fact[];

interface Filter {
  readonly args: string;
  readonly meant: (fact: Fact) => boolean;
}

const FROM = new Date('2026-01-02T00:00:00Z');
const TO = new Date('2026-01-03T07:00:00Z');

const OF_PREDICTIONS: readonly Filter[] = [
  { args: 'isCorrect: true', meant: ({ prediction, outcome }) => prediction === outcome },
  { args: 'isCorrect: false', meant: ({ prediction, outcome }) => outcome !== null && prediction !== outcome },
  { args: 'minConfidence: 40', meant: ({ confidence }) => confidence >= 40 },
  { args: 'maxConfidence: 60', meant: ({ confidence }) => confidence <= 60 },
  {
    args: 'minConfidence: 30, maxConfidence: 50, isCorrect: true',
    meant: ({ confidence, prediction, outcome }) => confidence >= 30 && confidence <= 50 && prediction === outcome,
  },
  { args: 'prediction: "YES"', meant: ({ prediction }) => prediction === 'YES' },
];

const OF_ROUNDS: readonly Filter[] = [
  { args: 'status: resolved', meant: ({ status }) => status === 'resolved' },
  { args: 'status: [active, void]', meant: ({ status }) => status === 'active' || status === 'void' },
  { args: 'questionType: [range, podium]', meant: ({ questionType }) => /^(range|podium)$/.test(questionType) },
  { args: 'asset: "SOL"', meant: ({ assets }) => assets.includes('SOL') },
  { args: `from: "${FROM.toISOString()}"`, meant: ({ start }) => start >= FROM },
  { args: `to: "${TO.toISOString()}"`, meant: ({ start }) => start < TO },
  {
    args: `from: "${FROM.toISOString()}", to: "${TO.toISOString()}", asset: "BTC", isCorrect: false`,
    meant: ({ start, assets, prediction, outcome }) =>
      start >= FROM && start < TO && assets.includes('BTC') && outcome !== null && prediction !== outcome,
  },
];

/** Everybody's predictions are searched in a window alone. */
function inWindow({ args, meant }: Filter): Filter {
  const [from, to] = [new Date('2025-12-31T00:00:00Z'), new Date('2026-01-07T00:00:00Z')];
  return {
    args: `${args}, from: "${from.toISOString()}", to: "${to.toISOString()}"`,
    meant: (fact) => fact.start >= from && fact.start < to && meant(fact),
  };
}

const LISTS: readonly {
  readonly path: readonly string[];
  readonly filters: readonly Filter[];
  readonly within: (fact: Fact) => boolean;
}[] = [
  {
    path: ['predictions'],
    filters: [...OF_PREDICTIONS.map(inWindow), ...OF_ROUNDS],
    within: () => true,
  },
  {
    path: ['agent(id: 4)', 'predictions'],
    filters: [...OF_PREDICTIONS, ...OF_ROUNDS],
    within: ({ agentId }) => agentId === 4,
  },
  { path: ['round(id: 6)', 'predictions'], filters: OF_PREDICTIONS, within: ({ roundId }) => roundId === 6 },
];

export function describePredictionFilters(played: () => Played): void {
  describe('prediction filters', () => {
    beforeAll(() => {
      ({ field, facts } = played());
    });

    describe.each(LISTS)('$path', ({ path, filters, within }) => {
      test.each(filters)('predictions are filtered by $args', async ({ args, meant }) => {
        const wanted = facts.filter((fact) => within(fact) && meant(fact)).map(({ id }) => id);
        for (const [order, ids] of [
          ['OLDEST', wanted],
          ['NEWEST', wanted.toReversed()],
        ] as const) {
          const list = [...path.slice(0, -1), `${path.at(-1)}(${args}, orderBy: ${order})`];
          expect(await idsOf(field.service, list)).toEqual(ids);
          expect(await idsOf(field.service, list, 40)).toEqual(ids);
        }
      });
    });

    test('each filter includes and excludes predictions of the sample', () => {
      for (const { args, meant } of [...OF_PREDICTIONS, ...OF_ROUNDS]) {
        const left = facts.filter(meant).length;
        expect({ args, some: left > 0, all: left === facts.length }).toEqual({ args, some: true, all: false });
      }
    });

    test('predictions filtered by an agent are its own', async () => {
      const own = facts.filter(({ agentId }) => agentId === 7);
      const right = own.filter(({ prediction, outcome }) => prediction === outcome);
      expect(await idsOf(field.service, ['predictions(agentId: 7, orderBy: OLDEST)'], 6)).toEqual(
        own.map(({ id }) => id),
      );
      expect(await idsOf(field.service, ['predictions(agentId: 7, orderBy: OLDEST, isCorrect: true)'], 6)).toEqual(
        right.map(({ id }) => id),
      );
      expect(await idsOf(field.service, ['predictions(agentId: 999)'])).toEqual([]);
    });
  });
}
