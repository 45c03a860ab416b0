import { describe, expect, test } from '@jest/globals';

import { costMeter } from '../../src/graphql/cost.ts';
import { type Documents, openDocuments } from '../../src/graphql/documents.ts';
import { estimatedFieldCount } from '../../src/graphql/operation.ts';
import { makeSchema } from '../../src/resolvers/schema.ts';

const schema = makeSchema();
const open = () => openDocuments(schema, costMeter(schema));
/** The texts of those that are kept. */
const keptOf = (documents: Documents, texts: readonly string[]) => texts.filter((text) => documents.find(text));
const small = (at: number): string => `{ health { status } } # ${at}`;

describe('cached documents', () => {
  test('a document is found by its text, and parsed once', () => {
    const documents = open();
    const first = documents.check(small(1));
    expect(documents.find(small(1))).toBe(first);
    expect(documents.check(small(1))).toBe(first);
    expect(documents.find(small(2))).toBeUndefined();
  });

  test('documents that are invalid or longer than 16 KiB are not cached', () => {
    const documents = open();
    const texts = ['{ nothing }', '{', `{ __typename } # ${'x'.repeat(16 * 1024)}`];
    for (const text of texts) documents.check(text);
    expect(keptOf(documents, texts)).toEqual([]);
  });

  test('at most 500 documents are cached, and the least recently used goes first', () => {
    const documents = open();
    documents.check(small(0));
    for (let at = 1; at <= 600; at += 1) {
      documents.check(small(at));
      documents.find(small(0));
    }
    const texts = Array.from({ length: 601 }, (_, at) => small(at));
    expect(keptOf(documents, texts)).toEqual([small(0), ...texts.slice(102)]);
  });

  test('cached documents have at most 262,144 characters together', () => {
    const documents = open();
    const texts = Array.from({ length: 60 }, (_, at) => `{ __typename } # ${at} ${'x'.repeat(10_000)}`);
    for (const text of texts) documents.check(text);
    const kept = keptOf(documents, texts);
    expect(kept).toHaveLength(26);
    expect(kept.join('').length).toBeLessThanOrEqual(256 * 1024);
  });

  test('cached documents have at most 20,000 compiled fields, with all values of their switches', () => {
    const documents = open();
    const fragment = 'fragment F on Round { question status choices outcome source totalEntries startTime endTime }';
    const rounds = Array.from({ length: 9 }, (_, at) => `round${at}: round(id: ${at}) { ...F }`).join(' ');
    const fieldsOf = (query: string): number => {
      documents.check(query);
      const found = documents.find(query);
      return found === undefined ? 0 : estimatedFieldCount(found.document);
    };
    const plain = fieldsOf(`{ ${rounds} } ${fragment}`);
    expect(plain).toBe(9 + 9 + 72);
    const switched = `query ($some: Boolean!) { ${rounds} __typename @include(if: $some) } ${fragment}`;
    expect(fieldsOf(switched)).toBe(4 * (plain + 1));
    const texts = Array.from({ length: 200 }, (_, at) => `${switched} # ${at}`);
    for (const text of texts) documents.check(text);
    expect(keptOf(documents, texts)).toHaveLength(Math.floor(20_000 / (4 * (plain + 1))));
  });
});
