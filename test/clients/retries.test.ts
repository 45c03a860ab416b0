import { describe, expect, test } from '@jest/globals';

import { type FaultyServer, faultyServer, refusal, type Step } from './faulty-server.ts';
import { ask, INSTALLED, valuesOf, type Wish } from './languages.ts';

const PREDICT: Wish = { method: 'predict', parameters: { round_id: 1, prediction: 'BTC', confidence: 60 } };
const REGISTER: Wish = { method: 'register', parameters: { name: 'bot' } };
const TAKEN: Step = { status: 201, body: { success: true } };
const EMPTY: Step = { status: 200, body: { round: null, time_remaining_seconds: 0 } };
const SPENT = refusal(429, 'rate_limited', 1);

/** What comes of it in each language, each with a server of its own. */
function inEach(wish: Wish, steps: readonly Step[]) {
  return Promise.all(
    INSTALLED.map(async (language) => {
      await using server: FaultyServer = await faultyServer(steps);
      const { stdout, stderr } = await ask(language, server.url, wish).ended;
      expect(stderr).toBe('');
      const values = valuesOf(stdout);
      return { values, last: values.at(-1), retried: values.filter((value) => 'retried' in value), server };
    }),
  );
}

/** What is asked for it in each language. */
async function askedBy(wish: Wish): Promise<readonly string[][]> {
  const met = await inEach(wish, [EMPTY]);
  return met.map(({ server }) => server.received.map(({ asked }) => asked));
}

describe(`in ${INSTALLED.map(({ language }) => language).join(' and ')}`, () => {
  test.each([
    { fault: '503', step: refusal(503, 'database_unavailable') },
    { fault: '502 of a proxy', step: { status: 502, body: '<html>' } },
    { fault: '429', step: SPENT },
    { fault: 'a lost answer', step: 'cut' },
    { fault: 'half an answer', step: { status: 201, body: '{"suc', headers: { 'content-length': '20' }, isCut: true } },
    { fault: 'silence', step: 'silent' },
  ] as const)('a prediction is sent again after $fault, with its key', async ({ step }) => {
    for (const { last, retried, server } of await inEach({ ...PREDICT, timeout: 3 }, [step, step, TAKEN])) {
      expect(last).toEqual({ answer: { success: true } });
      expect(retried).toHaveLength(2);
      const [first] = server.received;
      expect(first).toMatchObject({
        asked: 'POST /api/predictions',
        idempotencyKey: expect.stringMatching(/^\w{32}$/),
      });
      expect(JSON.parse(first?.body ?? '')).toEqual(PREDICT.parameters);
      expect(server.received).toEqual([first, first, first]);
    }
  });

  test('each prediction has a key of its own, unless it is given one', async () => {
    const keys: (string | undefined)[] = [];
    for (const more of [{}, {}, { idempotency_key: 'mine' }]) {
      const wish = { ...PREDICT, parameters: { ...PREDICT.parameters, ...more } };
      for (const { server } of await inEach(wish, [TAKEN])) {
        keys.push(server.received[0]?.idempotencyKey);
        expect(server.received[0]?.body).not.toContain('mine');
      }
    }
    const own = keys.filter((key) => key !== 'mine');
    expect(keys.length - own.length).toBe(INSTALLED.length);
    expect(new Set(own).size).toBe(2 * INSTALLED.length);
  });

  test('it waits as long as it is asked to', async () => {
    for (const { retried } of await inEach({ method: 'currentRound' }, [SPENT, EMPTY])) {
      expect(retried).toEqual([{ retried: 'rate_limited', wait: expect.any(Number) }]);
      expect(retried[0].wait).toBeGreaterThanOrEqual(1);
    }
  });

  test('a wait beyond its patience is an error at once, which says when to come back', async () => {
    const steps = [refusal(429, 'rate_limited', 3600)];
    for (const { values, server } of await inEach({ method: 'currentRound' }, steps)) {
      const error = { code: 'rate_limited', status: 429, message: 'It cannot be.', param: null, retry_after: 3600 };
      expect(values).toEqual([{ error }]);
      expect(server.received).toHaveLength(1);
    }
  });

  test('the pauses grow, and end with its patience', async () => {
    for (const { last, retried } of await inEach({ method: 'health', patience: 6 }, [refusal(503, 'unavailable')])) {
      expect(last).toMatchObject({ error: { code: 'unavailable', status: 503 } });
      const waits: number[] = retried.map(({ wait }) => wait);
      const bounds = [0.25, 0.5, 1, 2].slice(0, waits.length);
      expect(waits.length).toBeGreaterThanOrEqual(2);
      bounds.forEach((bound, at) => {
        expect(waits[at]).toBeGreaterThanOrEqual(bound / 2);
        expect(waits[at]).toBeLessThanOrEqual(bound);
      });
    }
  });

  test.each([
    { fault: 'a lost answer', step: 'cut', code: 'unreachable' },
    { fault: '503', step: refusal(503, 'unavailable'), code: 'unavailable' },
  ] as const)('a registration is not sent again after $fault: it may have happened', async ({ step, code }) => {
    for (const { values, server } of await inEach(REGISTER, [step, TAKEN])) {
      expect(values).toEqual([{ error: expect.objectContaining({ code }) }]);
      expect(server.received).toHaveLength(1);
    }
  });

  test('a registration that was refused for its budget is sent again', async () => {
    for (const { last, server } of await inEach(REGISTER, [SPENT, TAKEN])) {
      expect(last).toEqual({ answer: { success: true } });
      expect(server.received).toHaveLength(2);
    }
  });

  test.each([
    { what: 'a refusal', step: refusal(400, 'not_current_round'), code: 'not_current_round' },
    { what: 'a fault of the service', step: refusal(500, 'internal'), code: 'internal' },
    { what: 'an answer that is none of JSON', step: { status: 200, body: '<html>' }, code: 'unexpected_answer' },
    { what: 'a redirection', step: { status: 302, headers: { location: 'http://other/' } }, code: 'redirected' },
  ] as const)('$what is an error at once', async ({ step, code }) => {
    for (const { values, server } of await inEach(PREDICT, [step, TAKEN])) {
      expect(values).toEqual([{ error: expect.objectContaining({ code }) }]);
      expect(server.received).toHaveLength(1);
    }
  });

  test('nobody who listens is an error that says so, without the key', async () => {
    const server = await faultyServer([]);
    await server[Symbol.asyncDispose]();
    const message = `${server.url} is out of reach (ECONNREFUSED).`;
    const error = { code: 'unreachable', status: null, message, param: null, retry_after: null };
    for (const language of INSTALLED) {
      const { stdout } = await ask(language, server.url, { ...PREDICT, patience: 1 }).ended;
      expect(valuesOf(stdout).at(-1)).toEqual({ error });
      expect(stdout).not.toContain('pk_live');
    }
  });

  test('a path has its parameters escaped, and a query the others', async () => {
    const inPath = await askedBy({ method: 'archive', parameters: { period: '../me?x' } });
    expect(inPath).toEqual(INSTALLED.map(() => ['GET /api/leaderboard/archive/..%2Fme%3Fx']));
    const inQuery = await askedBy({ method: 'results', parameters: { round_id: 3, limit: 2, after: 0 } });
    expect(inQuery).toEqual(INSTALLED.map(() => ['GET /api/rounds/3/results?limit=2&after=0']));
  });

  test('an export that breaks goes on behind its last whole line', async () => {
    const part: Step = { status: 200, body: '{"id":1}\n{"id":2}\n{"id":', isCut: true };
    const rest: Step = { status: 200, body: '{"id":3}\n' };
    for (const { values, server } of await inEach({ rows: 'rounds' }, [part, rest])) {
      expect(values.filter((value) => 'id' in value)).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
      expect(server.received.map(({ asked }) => asked)).toEqual([
        'GET /api/export/rounds.ndjson',
        'GET /api/export/rounds.ndjson?after=2',
      ]);
    }
  });
});
