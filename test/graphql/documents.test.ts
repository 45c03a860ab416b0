import { describe, expect, test } from '@jest/globals';

import { costMeter } from '../../src/graphql/cost.ts';
import { openDocuments } from '../../src/graphql/documents.ts';
import { makeSchema } from '../../src/resolvers/schema.ts';

const schema = makeSchema();
const open = () => openDocuments(schema, costMeter(schema));
const small = (at: number): string => `{ health { status } } # ${at}`;

describe('the documents that a process knows', () => {
  test('are found by their text, and parsed once', () => {
    const documents = open();
    const first = documents.check(small(1));
    expect(documents.find(small(1))).toBe(first);
    expect(documents.check(small(1))).toBe(first);
    expect(documents.find(small(2))).toBeUndefined();
  });

  test('are none that is not valid, or longer than 16 KiB', () => {
    const documents = open();
    for (const text of ['{ nothing }', '{', `{ __typename } # ${'x'.repeat(16 * 1024)}`]) documents.check(text);
    expect(documents.size().documents).toBe(0);
  });

  test('are at most 500, of which those that were asked for least recently go first', () => {
    const documents = open();
    documents.check(small(0));
    for (let at = 1; at <= 600; at += 1) {
      documents.check(small(at));
      documents.find(small(0));
    }
    expect(documents.size().documents).toBe(500);
    expect([0, 101, 102, 600].map((at) => documents.find(small(at)) !== undefined)).toEqual([true, false, true, true]);
  });

  test('have at most 262,144 characters together, however many different ones are sent', () => {
    const documents = open();
    for (let at = 0; at < 60; at += 1) documents.check(`{ __typename } # ${at} ${'x'.repeat(10_000)}`);
    expect(documents.size().documents).toBe(26);
    expect(documents.size().characters).toBeLessThanOrEqual(256 * 1024);
  });

  test('are compiled to at most 20,000 fields together, with all values of their switches', () => {
    const documents = open();
    const fragment = 'fragment F on Round { question status choices outcome source totalEntries startTime endTime }';
    const rounds = Array.from({ length: 9 }, (_, at) => `round${at}: round(id: ${at}) { ...F }`).join(' ');
    const fieldsOf = (query: string): number => {
      const before = documents.size().fields;
      documents.check(query);
      return documents.size().fields - before;
    };
    const plain = fieldsOf(`{ ${rounds} } ${fragment}`);
    expect(plain).toBe(9 + 9 + 72);
    const switched = `query ($some: Boolean!) { ${rounds} __typename @include(if: $some) } ${fragment}`;
    expect(fieldsOf(switched)).toBe(4 * (plain + 1));
    for (let at = 0; at < 200; at += 1) documents.check(`${switched} # ${at}`);
    const { documents: kept, fields } = documents.size();
    expect(fields).toBeLessThanOrEqual(20_000);
    expect(kept).toBe(Math.floor(20_000 / (4 * (plain + 1))));
  });
});
