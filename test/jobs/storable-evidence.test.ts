import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { storable, storeEvidence } from '../../src/jobs/resolve/evidence-statements.ts';
import type { SourceCandle } from '../../src/market/market.ts';
import { only } from '../support/arena.ts';
import { sharedArena } from '../support/shared.ts';

const HOUR = new Date('2026-01-01T12:00:00Z');
const FETCHED = new Date('2026-01-01T13:00:01Z');

/** A row that counts, and is sound. */
const SOUND: SourceCandle = {
  source: 'kraken',
  asset: 'BTC',
  hourStart: HOUR,
  open: '100.50',
  high: '101',
  low: '99',
  close: '100.0000000001',
  volume: '0012.5',
  bodyHash: 'a'.repeat(64),
  sourceTime: new Date('2026-01-01T13:00:00Z'),
  fetchedAt: FETCHED,
  counted: true,
  leftOut: null,
};

const OUT: SourceCandle = { ...SOUND, counted: false, leftOut: 'It differs.' };

const arena = sharedArena();
/** What the table holds after the row was stored. */
async function stored(row: SourceCandle): Promise<object> {
  await arena.reset();
  await arena.query(
    `insert into rounds (start_time, end_time, status, question_type, prediction_format, question, choices, subject, operator,
       source)
     values ($1, $1::timestamptz + interval '1 hour', 'resolving', 'direction', 'boolean', 'asked by a test', '["YES","NO"]',
       'BTC', '>', 'scripted')`,
    [HOUR],
  );
  const verdict = { candles: [], evidence: [row], problem: null, late: [], answered: 1, needed: 1 };
  await arena.newEm().transactional((transaction) => storeEvidence(transaction, 1, verdict));
  return only(arena, 'select * from candles');
}

describe('row of evidence', () => {
  test('a valid row of evidence is stored unchanged', async () => {
    expect(storable(SOUND)).toEqual(SOUND);
    expect(storable(OUT)).toEqual(OUT);
    expect(await stored(SOUND)).toMatchObject({ open: '100.50', volume: '0012.5', source_time: SOUND.sourceTime });
  });

  test.each(['', ' ', '\0', '1\0', '1e5', 'NaN', '\ud800', '9'.repeat(200), `1.${'0'.repeat(200)}`])(
    'evidence with the figure %j is stored without figures, and with a note',
    async (figure) => {
      const none = { open: null, high: null, low: null, close: null, volume: null };
      expect(await stored({ ...OUT, low: figure })).toMatchObject({
        ...none,
        left_out: 'It differs. Its figures cannot be stored.',
        body_hash: SOUND.bodyHash,
      });
    },
  );

  test.each(['+020000-01-01T00:00:00.000Z', '-000001-01-01T00:00:00.000Z', '+275760-09-13T00:00:00.000Z', 'never'])(
    'evidence with the source time %s is stored without a time',
    async (time) => {
      expect(await stored({ ...SOUND, sourceTime: new Date(time) })).toMatchObject({
        source_time: null,
        counted: true,
      });
    },
  );

  test('evidence is stored with printable text, and without an invalid hash', async () => {
    const leftOut = `It said \0\u001b[2J\ud800 ${'x'.repeat(2_000)}`;
    const row = { ...OUT, leftOut, bodyHash: 'no hash' };
    expect(await stored(row)).toMatchObject({
      left_out: expect.stringMatching(/^It said {2}\[2J\ufffd x{100,490}$/),
      body_hash: null,
    });
  });

  test('any row of evidence can be stored', async () => {
    const text = fc.option(fc.oneof(fc.string({ unit: 'binary' }), fc.double().map(String), fc.constant('1.5')));
    const time = fc.option(fc.date({ noInvalidDate: false }));
    const fields = { open: text, high: text, low: text, close: text, volume: text, bodyHash: text, leftOut: text };
    await fc.assert(
      fc.asyncProperty(fc.record({ ...fields, sourceTime: time }), async (odd) => {
        expect(await stored({ ...OUT, ...odd })).toMatchObject({ source: 'kraken', counted: false });
      }),
      { numRuns: 50 },
    );
  });
});
