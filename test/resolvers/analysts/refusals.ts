import { afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';

import { ask } from '../../support/asking.ts';
import type { Played, PlayedField } from '../../support/played-field.ts';
import { pageAt } from './walking.ts';

let field: PlayedField;

const CONNECTIONS = [
  (args: string) => `rounds(${args})`,
  (args: string) => `agents(${args})`,
  (args: string) => `predictions(${args})`,
  (args: string) => `agent(id: 1) { predictions(${args}) { nodes { id } } }`,
  (args: string) => `round(id: 1) { predictions(${args}) { nodes { id } } }`,
] as const;

function document(list: string): string {
  return list.endsWith('}') ? `{ ${list} }` : `{ ${list} { nodes { id } } }`;
}

async function messageOf(query: string): Promise<string> {
  const { errors } = await ask(field.service, query);
  expect(errors.map(({ extensions }) => extensions.code)).toEqual(['BAD_REQUEST']);
  return errors[0]?.message ?? '';
}

const ANSWERS = 'YES, NO, BTC, ETH, SOL, AVAX, DOGE, ADA, LINK, DOT';
const WINDOW =
  'isCorrect, minConfidence, maxConfidence and prediction need agentId, or a window from "from" to "to" (now when unset) of at most 168 hours';

function cursor(text: string): string {
  return Buffer.from(text).toString('base64url');
}

export function describeRefusals(played: () => Played): void {
  describe('refusals of lists', () => {
    beforeAll(() => {
      ({ field } = played());
    });

    let before = 0;

    beforeEach(() => {
      before = field.service.reported.length;
    });

    afterEach(() => {
      expect(field.service.reported.slice(before)).toEqual([]);
    });

    describe.each(CONNECTIONS.map((of) => ({ of, name: of('...') })))('$name', ({ of }) => {
      test.each([0, -1, 101, 1_000_000])('first: %d is refused instead of clamped', async (first) => {
        expect(await messageOf(document(of(`first: ${first}`)))).toBe(
          `first must be a whole number from 1 to 100 (got ${first}).`,
        );
      });

      test.each(['', 'x', 'bm9uc2Vuc2U', cursor('[]'), cursor('["rounds NEWEST"]'), cursor('{"a":1}'), cursor('null')])(
        'after: "%s" is refused',
        async (after) => {
          expect(await messageOf(document(of(`after: "${after}"`)))).toContain('after must be an endCursor');
        },
      );
    });

    test('a cursor of another order or list, or with impossible keys, is refused', async () => {
      const { service } = field;
      const { endCursor: ofAgents } = await pageAt(service, ['agents']);
      for (const other of ['agents(orderBy: NEWEST', 'agents(orderBy: NAME', 'rounds(first: 1', 'predictions(first: 1'])
        await messageOf(document(`${other}, after: "${ofAgents}")`));
      const forged = [
        ['agents', '["agents OLDEST","1","2"]'],
        ['agents', '["agents OLDEST","99999999999"]'],
        ['agents', '["agents OLDEST",1]'],
        ['agents', '["agents OLDEST","1e3"]'],
        ['agents(orderBy: POINTS)', '["agents POINTS","5"]'],
        ['agents(orderBy: NAME)', `["agents NAME","${'x'.repeat(65)}"]`],
        ['agents(orderBy: NAME)', '["agents NAME","a\\u0000b"]'],
        ['rounds', '["rounds NEWEST","999999999999999"]'],
        ['rounds', '["rounds NEWEST","-1"]'],
      ] as const;
      for (const [list, keys] of forged) {
        const args = list.endsWith(')') ? `${list.slice(0, -1)}, ` : `${list}(`;
        await messageOf(document(`${args}after: "${cursor(keys)}")`));
      }
    });

    test.each([
      ['{ predictions(prediction: "ZZZ") { nodes { id } } }', `prediction must be one of ${ANSWERS} (got "ZZZ").`],
      [
        '{ rounds(first: 1) { nodes { predictions(prediction: "yes") { nodes { id } } } } }',
        `prediction must be one of ${ANSWERS} (got "yes").`,
      ],
      [
        '{ agent(id: 1) { predictions(prediction: "\\u0000") { nodes { id } } } }',
        `prediction must be one of ${ANSWERS} (got "\\u0000").`,
      ],
      [
        '{ round(id: 1) { predictions(minConfidence: 101) { nodes { id } } } }',
        'minConfidence must be a whole number from 0 to 100 (got 101).',
      ],
      ['{ predictions(prediction: "YES") { nodes { id } } }', `${WINDOW} (got no from).`],
      ['{ predictions(isCorrect: true, status: [resolved]) { nodes { id } } }', `${WINDOW} (got no from).`],
      ['{ predictions(minConfidence: 90, to: "2026-01-01T00:00:00Z") { nodes { id } } }', `${WINDOW} (got no from).`],
      [
        '{ predictions(maxConfidence: 9, from: "2026-01-01T00:00:00Z", to: "2026-01-08T00:00:01Z") { nodes { id } } }',
        `${WINDOW} (got 169 hours).`,
      ],
      [
        '{ predictions(isCorrect: false, from: "2020-01-01T12:00:00Z") { nodes { id } } }',
        expect.stringMatching(/of at most 168 hours \(got 53\d\d\d hours\)\.$/),
      ],
      ['{ agent(name: "a\\u0000b") { id } }', 'name must hold no control characters (got "a\\u0000b").'],
      ['{ agent(name: "a\\u001fb") { id } }', 'name must hold no control characters (got "a\\u001fb").'],
      [
        '{ predictions(minConfidence: -1) { nodes { id } } }',
        'minConfidence must be a whole number from 0 to 100 (got -1).',
      ],
      [
        '{ predictions(maxConfidence: 101) { nodes { id } } }',
        'maxConfidence must be a whole number from 0 to 100 (got 101).',
      ],
      [
        '{ predictions(minConfidence: 60, maxConfidence: 50) { nodes { id } } }',
        'minConfidence must not be above maxConfidence (got 60 and 50).',
      ],
      [
        '{ predictions(asset: "DOGECOIN") { nodes { id } } }',
        'asset must be one of BTC, ETH, SOL, AVAX, DOGE, ADA, LINK, DOT (got "DOGECOIN").',
      ],
      [
        '{ rounds(asset: "btc") { nodes { id } } }',
        'asset must be one of BTC, ETH, SOL, AVAX, DOGE, ADA, LINK, DOT (got "btc").',
      ],
      [
        '{ agent(id: 1) { calibration(asset: "") { n } } }',
        'asset must be one of BTC, ETH, SOL, AVAX, DOGE, ADA, LINK, DOT (got "").',
      ],
      [
        '{ stats { calibration(asset: "*") { n } } }',
        'asset must be one of BTC, ETH, SOL, AVAX, DOGE, ADA, LINK, DOT (got "*").',
      ],
      [
        `{ agents(ids: [${Array.from({ length: 101 }, (_, id) => id + 1).join(' ')}]) { nodes { id } } }`,
        'ids must be at most 100 ids (got 101).',
      ],
      ['{ agent(id: 1) { pnlHistory(points: 0) { value } } }', 'points must be a whole number from 1 to 1000 (got 0).'],
      [
        '{ agent(id: 1) { pointsHistory(points: 1001) { value } } }',
        'points must be a whole number from 1 to 1000 (got 1001).',
      ],
    ])('%s is refused with the accepted values', async (query, message) => {
      expect(await messageOf(query)).toEqual(message);
    });

    test.each([
      '{ agents(orderBy: RANDOM) { nodes { id } } }',
      '{ rounds(orderBy: PLACE) { nodes { id } } }',
      '{ agent(id: 1) { predictions(orderBy: PLACE) { nodes { id } } } }',
      '{ agents(tier: platinum) { nodes { id } } }',
      '{ predictions(isCorrect: 1) { nodes { id } } }',
      '{ predictions(from: "yesterday") { nodes { id } } }',
      '{ agent(id: 1) { standing(period: yearly) { rank } } }',
    ])('%s has no such enum value', async (query) => {
      await messageOf(query);
    });
  });
}
