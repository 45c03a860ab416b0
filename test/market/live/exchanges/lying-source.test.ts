import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { resolveRound } from '../../../../src/jobs/resolve/resolve-round.ts';
import { SOURCE_NAMES, type SourceName } from '../../../../src/market/live/exchanges/exchange.ts';
import { addHours } from '../../../../src/rules/hours.ts';
import { addAgents, type Arena, only, openArena } from '../../../support/arena.ts';
import { LIES, type Lie, lyingInEveryWay, NASTY_JSON, NASTY_TEXTS, replaced, wired } from './lies.ts';
import type { Fault } from './played-exchange.ts';
import { playSources, type PlayedSources } from './played-sources.ts';
import { insertTouchRound } from './touch-round.ts';
import { DECIDED_HOUR, FACTORS, honestFigures, wavyMarket } from './wavy-market.ts';

/** Nobody is waited for any more: two are enough. */
const NOW = new Date(addHours(DECIDED_HOUR, 1).getTime() + 60_000);

let arena: Arena;
let sources: PlayedSources;

beforeAll(async () => {
  [arena, sources] = await Promise.all([openArena(), playSources(wavyMarket(), FACTORS)]);
  sources.market.now = NOW;
  await addAgents(arena, 1);
});
afterAll(async () => {
  await sources[Symbol.asyncDispose]();
  await arena.close();
});

interface Kept {
  readonly source: SourceName;
  readonly counted: boolean;
  readonly left_out: string | null;
}

/** Decides a round with one source at fault, through to the commit: by what the others say, at the first try. */
async function decideWith(liar: SourceName, fault: Fault): Promise<void> {
  await insertTouchRound(arena);
  for (const name of SOURCE_NAMES) sources.exchanges[name].fault = name === liar ? fault : null;
  const market = sources.open();
  await resolveRound({ ...arena, market }, 1, { now: NOW });
  await market.stop();
  const decided = await only(
    arena,
    `select status, outcome, decided_at, is_correct from rounds left join scores on round_id = rounds.id`,
  );
  expect(decided).toEqual({ status: 'resolved', outcome: 'NO', decided_at: NOW, is_correct: true });
  const rows = await arena.query<Kept>('select source, counted, left_out from candles order by source');
  expect(rows.map(({ source }) => source)).toEqual(SOURCE_NAMES.toSorted());
  const honest = SOURCE_NAMES.filter((name) => name !== liar);
  for (const row of rows) if (row.source !== liar) expect(row).toMatchObject({ counted: true, left_out: null });
  const agreed = await only(arena, 'select open::text, high::text, low::text, close::text from agreed_candles');
  if (rows.some(({ source, counted }) => source === liar && counted)) expectBetween(agreed, honest);
  else expect(agreed).toEqual(honestFigures(honest));
}

/** The median of three lies between two of them, whatever the third says. */
function expectBetween(agreed: object, honest: readonly SourceName[]): void {
  const [one, other] = honest.map((name) => honestFigures([name, name]));
  for (const [name, figure] of Object.entries(agreed)) {
    const bounds = [one, other].map((figures) => Number(new Map(Object.entries(figures ?? {})).get(name)));
    expect(Number(figure)).toBeGreaterThanOrEqual(Math.min(...bounds));
    expect(Number(figure)).toBeLessThanOrEqual(Math.max(...bounds));
  }
}

describe('one source with wrong bytes', () => {
  test.each(LIES.map(([name, lie], place) => ({ name, lie, liar: SOURCE_NAMES[place % 3] ?? 'kraken' })))(
    'two sources decide despite the third one, $liar: $name',
    async ({ lie, liar }) => {
      await decideWith(liar, { raw: (reply) => wired(reply, lie) });
    },
  );

  test('two sources decide despite a third that is wrong in every way', async () => {
    for (const liar of SOURCE_NAMES) await decideWith(liar, lyingInEveryWay());
  });

  test('two sources decide despite any bytes in any part of the third’s answer', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...SOURCE_NAMES), anyLie(), async (liar, lie) => {
        await decideWith(liar, { raw: (reply) => wired(reply, lie) });
      }),
      { numRuns: 60 },
    );
  });
});

/** Anything at all in a header's value but what ends it. */
function headerText(): fc.Arbitrary<string> {
  const text = fc.oneof(
    fc.constantFrom(...NASTY_TEXTS),
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.date().map(String),
  );
  return text.map((value) => value.replaceAll(/[\r\n]/g, ' '));
}

function anyLie(): fc.Arbitrary<Lie> {
  const names = [
    'date',
    'retry-after',
    'content-type',
    'content-encoding',
    'content-length',
    'transfer-encoding',
    'age',
  ];
  const places = fc.array(fc.integer({ min: -24, max: 24 }), { minLength: 1, maxLength: 6 });
  const value = fc.oneof(fc.constantFrom(...NASTY_JSON), fc.json(), fc.double().map(String), fc.integer().map(String));
  const body = fc.oneof(
    {
      weight: 4,
      arbitrary: fc.tuple(places, value).map(
        ([chosen, json]) =>
          (text: string) =>
            replaced(text, json, new Set(chosen)),
      ),
    },
    { weight: 1, arbitrary: fc.json().map((json) => () => json) },
    { weight: 1, arbitrary: fc.uint8Array({ maxLength: 200 }).map((bytes) => () => bytes) },
    { weight: 1, arbitrary: fc.nat({ max: 400 }).map((length) => (text: string) => text.slice(0, length)) },
    { weight: 1, arbitrary: fc.constant((text: string) => text) },
  );
  const status = fc.oneof(
    { weight: 4, arbitrary: fc.constant('200') },
    { weight: 1, arbitrary: fc.nat({ max: 1200 }).map(String) },
  );
  const headers = fc.dictionary(fc.constantFrom(...names), headerText(), { maxKeys: 2 });
  return fc.record({ status, headers, body });
}
