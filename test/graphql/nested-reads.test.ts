import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { makeSchema } from '../../src/resolvers/schema.ts';
import { openField, type PlayedField } from '../support/played-field.ts';
import { seeded } from '../support/seeded.ts';
import { randomDocument } from './random-documents.ts';

const AGENTS = 8;

let field: PlayedField;
beforeAll(async () => {
  field = await openField({ agents: AGENTS });
  await field.play(20);
  await field.playWithoutPrices();
  await field.play(2);
  await field.predict();
});
afterAll(() => field.service.stop());

interface Answer {
  readonly data?: unknown;
  readonly errors?: readonly { readonly message: string; readonly path?: readonly (string | number)[] }[];
}

async function ask(query: string): Promise<Answer> {
  const { body } = await field.service.request('POST', '/graphql', { body: { query } });
  return body;
}

/** As it is compared: below a null, which errors come in time is a matter of chance. */
function compared({ data, errors = [] }: Answer) {
  return {
    data,
    nulls: [...new Set(errors.map(({ path }) => JSON.stringify(nullPlace(data, path ?? []))))].toSorted(),
  };
}

function nullPlace(data: unknown, path: readonly (string | number)[]): readonly (string | number)[] {
  let value = data;
  const place: (string | number)[] = [];
  for (const key of path) {
    if (typeof value !== 'object' || value === null) break;
    value = Reflect.get(value, key);
    place.push(key);
  }
  return place;
}

function* cursorsIn(value: unknown): Generator<string> {
  if (typeof value !== 'object' || value === null) return;
  for (const [key, inner] of Object.entries(value)) {
    if (typeof inner === 'string' && inner.startsWith('Wy')) yield inner;
    else if (key !== '') yield* cursorsIn(inner);
  }
}

describe('rows that are read in one statement with all that hangs on them', () => {
  test('are those that the resolvers find one after the other, for random documents', async () => {
    const schema = makeSchema();
    const random = seeded(7);
    const names = Array.from({ length: AGENTS }, (_, at) => `agent-${at + 1}`);
    const cursors = ['W10'];
    const seen = { answered: 0, refused: 0 };
    for (let at = 0; at < 400; at += 1) {
      const query = randomDocument(schema, { random, cursors, names });
      const unplanned = await ask(query);
      const planned = await ask(query);
      expect({ query, ...compared(planned) }).toEqual({ query, ...compared(unplanned) });
      cursors.push(...[...cursorsIn(unplanned.data)].slice(0, 3));
      seen[unplanned.errors === undefined ? 'answered' : 'refused'] += 1;
    }
    expect(seen.answered).toBeGreaterThan(200);
    expect(field.service.reported).toEqual([]);
  });
});
