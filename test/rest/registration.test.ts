import { describe, expect, test } from '@jest/globals';

import { API_KEY, INTEGER } from './formats.ts';
import { expectRefusal, statusesOf } from '../support/refusals.ts';
import { sharedService } from '../support/shared.ts';

const service = sharedService();

function post(body: unknown) {
  return service.request('POST', '/api/agents/register', { body });
}

describe('registration', () => {
  test('registration returns 201 with the agent and its key', async () => {
    const { status, body } = await post({ name: 'first_agent' });
    expect(body).toEqual({
      success: true,
      agent: { id: INTEGER, name: 'first_agent', mode: 'compete', total_points: 0, current_streak: 0 },
      api_key: API_KEY,
    });
    expect(status).toBe(201);
  });

  test.each(['compete', 'spectate'])('registration accepts the mode %s', async (mode) => {
    expect((await post({ name: `mode-${mode}`, mode })).body.agent).toMatchObject({ mode });
  });

  test('each registration returns another key', async () => {
    const keys = [await post({ name: 'key-one' }), await post({ name: 'key-two' })].map(({ body }) => body.api_key);
    expect(new Set(keys).size).toBe(2);
  });

  test('registration ignores unknown fields', async () => {
    const { body } = await post({ name: 'unknown-fields', id: 7, total_points: 99, admin: true });
    expect(body.agent).toEqual({
      id: INTEGER,
      name: 'unknown-fields',
      mode: 'compete',
      total_points: 0,
      current_streak: 0,
    });
    expect(body.agent.id).not.toBe(7);
  });
});

describe('name', () => {
  // Which texts are names test/rules has in full; these are those that JSON and the database could stumble over.
  test('the name __proto__ is accepted', async () => {
    const { status, body } = await post({ name: '__proto__' });
    expect([status, body.agent.name]).toEqual([201, '__proto__']);
  });

  test('a name with a null character is refused', async () => {
    expectRefusal(await post({ name: 'abc\u0000' }), 400, /name/);
  });

  test.each([[undefined], [null], [123], [true], [['abc']], [{ name: 'abc' }]])(
    'the name %j is refused because it is no text',
    async (name) => {
      expectRefusal(await post({ name }), 400, /name/);
    },
  );

  test('names are unique regardless of case', async () => {
    await post({ name: 'Taken-Name' });
    for (const name of ['Taken-Name', 'taken-name', 'TAKEN-NAME']) expectRefusal(await post({ name }), 409, /taken/);
  });

  test('a name requested concurrently goes to exactly one agent', async () => {
    const names = Array.from({ length: 20 }, (_, n) => (n % 2 === 0 ? 'Wanted-Name' : 'wanted-name'));
    const answers = await Promise.all(names.map((name) => post({ name })));
    expect(statusesOf(answers)).toEqual({ 201: 1, 409: 19 });
  });
});

describe('mode', () => {
  test.each(['', 'COMPETE', 'Spectate', 'admin', 'toString', 'compete '])('the mode %j is refused', async (mode) => {
    expectRefusal(await post({ name: 'mode-refused', mode }), 400, /mode.*compete.*spectate/);
  });

  test.each([[1], [true], [['compete']], [{}], [{ toString: 1 }], [{ toString: null, valueOf: null }]])(
    'the mode %j is refused because it is no text',
    async (mode) => {
      expectRefusal(await post({ name: 'mode-refused', mode }), 400, /mode/);
    },
  );
});
