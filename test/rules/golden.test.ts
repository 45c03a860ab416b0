import { readdirSync, readFileSync } from 'node:fs';

import { describe, expect, test } from '@jest/globals';

import { digestOf, GOLDEN, goldenText, vectorsOf } from '../../scripts/golden/vectors.ts';
import { edgeOf } from '../../src/rules/edge.ts';
import { RULES_DIGESTS, RULES_VERSION, RULES_VERSIONS } from '../../src/rules/versions.ts';

const FOLDER = new URL('../../rules/golden/', import.meta.url);

function fileOf(name: string): string {
  return readFileSync(new URL(`${name}.json`, FOLDER), 'utf8');
}

test('every part of the rules that scores a round has golden vectors', () => {
  expect(readdirSync(FOLDER).toSorted()).toEqual(Object.keys(GOLDEN).map((name) => `${name}.json`));
});

test.each(Object.keys(GOLDEN))('the rules reproduce the golden vectors of %s in every version, bit for bit', (name) => {
  expect(goldenText(vectorsOf(name))).toBe(fileOf(name));
});

describe.each(RULES_VERSIONS)('version %i of the rules', (version) => {
  test('the digest of the vectors belongs to the version: changed vectors need a new number', () => {
    expect(digestOf(version)).toBe(RULES_DIGESTS[version]);
  });
});

test('a new round has the newest version', () => {
  expect(RULES_VERSION).toBe(RULES_VERSIONS.at(-1));
});

test('version 2 adds the forecast and changes references and edges', () => {
  const parts = Object.keys(GOLDEN).filter((name) => fileOf(name).includes('\n"2": ['));
  expect(parts).toEqual(['edge', 'forecast', 'reference']);
  expect([...vectorsOf('forecast').keys()]).toEqual([2]);
});

test('an edge in the vectors follows from its own line by definition', () => {
  interface Line {
    readonly reference: number[] | null;
    readonly winner: number;
    readonly pick: number;
    readonly confidence: number;
    readonly edge: number | null;
  }
  const lines: Record<string, Line[]> = JSON.parse(fileOf('edge'));
  for (const version of RULES_VERSIONS)
    for (const { reference, winner, pick: pickIndex, confidence, edge } of lines[version] ?? []) {
      if (reference === null) {
        if (version > 1) expect(edge).toBeNull();
        continue;
      }
      const own = edgeOf(reference, { pickIndex, confidence }, { winnerIndex: winner, version });
      expect(Math.abs((edge ?? NaN) - own)).toBeLessThan(1.001e-6);
    }
  expect(Object.keys(lines)).toEqual(['1', '2']);
});
