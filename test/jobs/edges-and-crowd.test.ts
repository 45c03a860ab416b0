import { expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import { only } from '../support/arena.ts';
import { ASSETS } from '../../src/rules/assets.ts';
import { RULES_VERSIONS } from '../../src/rules/versions.ts';
import { brierOf, difficultyBy, figuresByDefinition } from '../oracle/crowd.ts';
import { expertsBy, mixtureBy, type Said } from '../rules/forecast/forecast-oracle.ts';
import { insertDecided } from './inserted-round.ts';
import { sharedArena } from '../support/shared.ts';

const AGENTS = 60;
const arena = sharedArena(AGENTS);

const entrant = fc.record({
  pick: fc.nat(7),
  confidence: fc.oneof(fc.integer({ min: 0, max: 100 }), fc.constantFrom(0, 12, 50, 99, 100)),
  // At, just before and just after points of the grid, the first and the last one too.
  afterMs: fc.oneof(
    fc.integer({ min: 0, max: 3_599_999 }),
    fc.tuple(fc.nat(239), fc.constantFrom(0, 1, 14_999)).map(([point, ms]) => 15_000 * point + ms),
  ),
});

const round = fc.record({
  choiceCount: fc.constantFrom(2, 4, 8),
  entrants: fc.array(entrant, { minLength: 1, maxLength: AGENTS, size: 'max' }),
  /** A price is known at the points of the grid that leave this remainder. */
  known: fc.nat(2),
  isLarge: fc.boolean(),
  rulesVersion: fc.constantFrom(...RULES_VERSIONS),
});

/** Any probabilities, another vector at each point; at some the question is settled, at times for an answer that does not win. */
function referenceAt(point: number, choiceCount: number): readonly number[] {
  if (point % 5 === 0) return Array.from({ length: choiceCount }, (_, place) => Number(place === point % 2));
  const weights = Array.from({ length: choiceCount }, (_, place) => 1 + ((point * 7 + place * 13) % 17));
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  return weights.map((weight) => weight / total);
}

interface Stored {
  readonly confidence: number;
  readonly edge: number | null;
  readonly arena: number | null;
  readonly contribution: number;
  readonly peer: number;
}

interface Entrant {
  readonly pick: number;
  readonly confidence: number;
  readonly afterMs: number;
}

type SaidAt = Said & { readonly point: number };

/** What was said, in the order of grid points; where no price is known over the last one before, at first over even odds. */
function saidIn(
  entrants: readonly Entrant[],
  referenceAtPoint: (point: number) => readonly number[] | null,
  choiceCount: number,
): readonly SaidAt[] {
  const ordered = entrants
    .map((one) => ({ ...one, point: Math.floor(one.afterMs / 15_000) }))
    .toSorted((one, other) => one.point - other.point);
  const points = [0, ...ordered.map(({ point }) => point)];
  return ordered.map(({ pick, confidence, point }) => {
    const prices = points.filter((one) => one <= point).map(referenceAtPoint);
    const even = Array.from({ length: choiceCount }, () => 1 / choiceCount);
    return { pick, confidence, point, edges: [], reference: prices.findLast((price) => price !== null) ?? even };
  });
}

/** The forecast at a grid point, before anything is decided. */
function forecastBefore(point: number, said: readonly SaidAt[], price: readonly number[]): readonly number[] {
  const before = said.filter((one) => one.point < point);
  const experts = expertsBy(price, before);
  return mixtureBy(
    experts,
    experts.map(() => 0),
  );
}

test('edges, contribution, peer score and difficulty of random rounds follow their definitions', async () => {
  await fc.assert(
    fc.asyncProperty(round, async ({ choiceCount, entrants, known, isLarge, rulesVersion }) => {
      await arena.reset();
      const choices = ASSETS.slice(0, choiceCount);
      const predictions = entrants.map(({ pick, ...one }, place) => {
        const prediction = choices[pick % choiceCount] ?? '';
        return { ...one, agentId: place + 1, prediction, pick: prediction };
      });
      const points = Array.from({ length: 240 }, (_, point) => point).filter((point) => point % 3 === known);
      const references = new Map(points.map((point) => [point, referenceAt(point, choiceCount)]));
      const ruling = { answer: 'BTC', references, rebuildFrom: isLarge ? 0 : Infinity };
      await insertDecided(arena, { hour: 0, choices, predictions, rulesVersion }, ruling);
      const stored = await arena.query<Stored>(
        `select confidence, edge_millionths as edge, arena_edge_millionths as arena, contribution_billionths as contribution, peer_millionths as peer
         from scores order by agent_id`,
      );
      expect(stored.map(({ confidence }) => confidence)).toEqual(entrants.map(({ confidence }) => confidence));
      const figures = figuresByDefinition(choices, predictions, 'BTC');
      const said = saidIn(
        entrants.map(({ pick, confidence, afterMs }) => ({ pick: pick % choiceCount, confidence, afterMs })),
        (point) => (point % 3 === known ? referenceAt(point, choiceCount) : null),
        choiceCount,
      );
      for (const [place, { contribution, peerScore, ...own }] of figures.entries()) {
        const point = Math.floor((entrants[place]?.afterMs ?? 0) / 15_000);
        const edge = stored[place]?.edge ?? null;
        if (point % 3 !== known && rulesVersion > 1) expect(edge).toBeNull();
        else {
          const reference = point % 3 === known ? referenceAt(point, choiceCount) : choices.map(() => 1 / choiceCount);
          const isSettled = reference.includes(1);
          const ownBrier = isSettled || rulesVersion === 1 ? own.ownBrier : own.boundedBrier;
          // Each side of the edge is rounded to a millionth.
          expect(Math.abs((edge ?? NaN) / 1e6 - (brierOf(reference, 0) - ownBrier))).toBeLessThan(1.001e-6);
        }
        const arenaEdge = stored[place]?.arena ?? null;
        if (point % 3 !== known) expect(arenaEdge).toBeNull();
        else if (referenceAt(point, choiceCount).includes(1)) expect(arenaEdge).toBe(edge);
        else {
          const forecast = forecastBefore(point, said, referenceAt(point, choiceCount));
          const gain = brierOf(forecast, 0) - brierOf(referenceAt(point, choiceCount), 0);
          expect(Math.abs(((arenaEdge ?? NaN) - (edge ?? NaN)) / 1e6 - gain)).toBeLessThan(1.001e-6);
        }
        expect(Math.abs((stored[place]?.contribution ?? NaN) / 1e9 - contribution)).toBeLessThan(0.501e-9);
        expect(Math.abs((stored[place]?.peer ?? NaN) / 1e6 - peerScore)).toBeLessThan(0.501e-6);
      }
      const { difficulty } = await only<{ difficulty: number }>(
        arena,
        'select difficulty_millionths as difficulty from rounds',
      );
      expect(Math.abs(difficulty / 1e6 - (difficultyBy(predictions, 'BTC') ?? NaN))).toBeLessThan(0.501e-6);
    }),
    { numRuns: 25 },
  );
});

test('rounds without predictions and void rounds have no difficulty', async () => {
  await insertDecided(arena, { hour: 0, predictions: [] }, { answer: 'YES' });
  await insertDecided(arena, { hour: 1, predictions: [{ agentId: 1, confidence: 90 }] }, { answer: null });
  expect(await arena.query('select difficulty_millionths from rounds order by id')).toEqual([
    { difficulty_millionths: null },
    { difficulty_millionths: null },
  ]);
});

test('a single prediction neither changes nor beats a crowd', async () => {
  await insertDecided(arena, { hour: 0, predictions: [{ agentId: 1, confidence: 90 }] }, { answer: 'YES' });
  expect(await only(arena, 'select contribution_billionths, peer_millionths, edge_millionths from scores')).toEqual({
    contribution_billionths: 0,
    peer_millionths: 0,
    // No price is known.
    edge_millionths: null,
  });
});

test('version 1 of the rules has even odds for an unknown price', async () => {
  const predictions = [{ agentId: 1, confidence: 90 }];
  await insertDecided(arena, { hour: 0, predictions, rulesVersion: 1 }, { answer: 'YES' });
  // 1/2 on each answer has a Brier score of 0.5, and 0.9 on the right one 0.02.
  expect(await only(arena, 'select edge_millionths from scores')).toEqual({ edge_millionths: 480_000 });
});
