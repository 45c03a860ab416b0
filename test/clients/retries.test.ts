import { describe, expect, test } from '@jest/globals';

import { COMMAND_LINES } from './command-lines.ts';
import { type FaultyServer, faultyServer, refusal, type Step } from './faulty-server.ts';
import { ask, askIn, INSTALLED, KEY, valuesOf, type Wish } from './languages.ts';

const PREDICT: Wish = { method: 'predict', parameters: { round_id: 1, prediction: 'BTC', confidence: 60 } };
const REGISTER: Wish = { method: 'register', parameters: { name: 'bot' } };
const TAKEN = { status: 201, body: { success: true } } satisfies Step;
const EMPTY: Step = { status: 200, body: { round: null, time_remaining_seconds: 0 } };
/** No UTF-8, in what otherwise would be an event, or a row. */
const BAD_BYTES = Buffer.from('data: {"seq":99,"kind":"\u00FF"}\n\n{"id":99,"text":"\u00FF"}\n', 'latin1');
const HEARTBEAT = { kind: 'HEARTBEAT', round_id: null };
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

/** A server that is gone. */
async function ended(): Promise<FaultyServer> {
  const server = await faultyServer([]);
  await server[Symbol.asyncDispose]();
  return server;
}

/** What is asked for it in each language. */
async function askedBy(wish: Wish): Promise<readonly string[][]> {
  const met = await inEach(wish, [EMPTY]);
  return met.map(({ server }) => server.received.map(({ requestLine }) => requestLine));
}

const proxyOf = (url: string): string => url.replace('//', '//name:secret@');
const named = (variable: string, url: string): string => ` ${variable} names the proxy ${url.replace('http://', '')}.`;

/** The error of a call in each language, with what Node alone adds left out. */
async function errorsIn(url: string, env: Readonly<Record<string, string>>) {
  const errors: unknown[] = [];
  for (const language of INSTALLED) {
    const { stdout } = await askIn(language, { method: 'health', patience: 0, url }, { env }).ended;
    errors.push(valuesOf(stdout.replace(' Node uses it with NODE_USE_ENV_PROXY=1 alone.', '')).at(-1));
  }
  return errors;
}

/** A refusal of a service whose clock is behind. */
const asking = (retryAfter: string): Step => ({
  status: 503,
  headers: { 'retry-after': retryAfter, date: 'Thu, 01 Jan 2026 00:00:00 GMT' },
  body: { error: 'It cannot be.', code: 'unavailable', retry_after: 2 },
});

describe(`retries in ${INSTALLED.map(({ language }) => language).join(' and ')}`, () => {
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
        requestLine: 'POST /api/predictions',
        idempotencyKey: expect.stringMatching(/^\w{32}$/),
      });
      expect(JSON.parse(first?.body ?? '')).toEqual(PREDICT.parameters);
      expect(server.received).toEqual([first, first, first]);
    }
  });

  test('rate limit headers of another form leave the answer as it is', async () => {
    const headers = { 'x-ratelimit-limit': '10, 10;w=60', 'x-ratelimit-remaining': '9', 'x-ratelimit-reset': '1' };
    for (const { last } of await inEach(REGISTER, [{ ...TAKEN, headers }]))
      expect(last).toEqual({ answer: { success: true } });
  });

  test('a prediction has the hash of its leaf, from the header', async () => {
    const taken: Step = { status: 201, body: { success: true }, headers: { 'hourcast-leaf': 'bGVhZg==' } };
    for (const { last } of await inEach(PREDICT, [taken]))
      expect(last).toEqual({ answer: { success: true, leaf_hash: 'bGVhZg==' } });
  });

  test('each prediction has its own idempotency key unless one is given', async () => {
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

  test('a client waits for Retry-After', async () => {
    for (const { retried } of await inEach({ method: 'currentRound' }, [SPENT, EMPTY])) {
      expect(retried).toEqual([{ retried: 'rate_limited', wait: expect.any(Number) }]);
      expect(retried[0].wait).toBeGreaterThanOrEqual(1);
    }
  });

  test('a client accepts Retry-After as decimals or a date, by the answer’s clock', async () => {
    const steps = ['0.3', 'Thu, 01 Jan 2026 00:00:01 GMT', 'soon', 'Wed, 31 Dec 2025 23:59:00 GMT'].map(asking);
    for (const { retried } of await inEach({ method: 'currentRound' }, [...steps, EMPTY])) {
      expect(retried.map(({ wait }) => Math.floor(wait))).toEqual([1, 1, 2, 0]);
      // Without any header the fourth pause is at least a second.
      expect(retried[3].wait).toBeLessThanOrEqual(0.25);
    }
  });

  test('a wait beyond the patience is an error at once, with the retry time', async () => {
    const steps = [refusal(429, 'rate_limited', 3600)];
    for (const { values, server } of await inEach({ method: 'currentRound' }, steps)) {
      const error = { code: 'rate_limited', status: 429, message: 'It cannot be.', param: null, retry_after: 3600 };
      expect(values).toEqual([{ error }]);
      expect(server.received).toHaveLength(1);
    }
  });

  test('pauses grow, and end with the patience', async () => {
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
  ] as const)('a registration is not sent again after $fault, since it may have succeeded', async ({ step, code }) => {
    for (const { values, server } of await inEach(REGISTER, [step, TAKEN])) {
      expect(values).toEqual([{ error: expect.objectContaining({ code }) }]);
      expect(server.received).toHaveLength(1);
    }
  });

  test('a registration refused by a rate limit is sent again', async () => {
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

  test('an unreachable address is an error without the key', async () => {
    const server = await ended();
    const message = `${server.url} is out of reach (ECONNREFUSED).`;
    const error = { code: 'unreachable', status: null, message, param: null, retry_after: null };
    for (const language of INSTALLED) {
      const { stdout } = await ask(language, server.url, { ...PREDICT, patience: 1 }).ended;
      expect(valuesOf(stdout).at(-1)).toEqual({ error });
      expect(stdout).not.toContain('pk_live');
    }
  });

  describe('proxy settings', () => {
    test.each([
      { variable: 'HTTP_PROXY', others: { NO_PROXY: '10.0.0.0,example.org' } },
      { variable: 'http_proxy', others: { HTTP_PROXY: 'http://127.0.0.2' } },
    ])(
      'the error of an unreachable address has the proxy of $variable without its password',
      async ({ variable, others }) => {
        const { url } = await ended();
        for (const error of await errorsIn(url, { ...others, [variable]: proxyOf(url) })) {
          const message = `${url} is out of reach (ECONNREFUSED).${named(variable, url)}`;
          expect(error).toEqual({ error: expect.objectContaining({ code: 'unreachable', message }) });
        }
      },
    );

    test('the error has no proxy where none is used', async () => {
      const { url } = await ended();
      for (const NO_PROXY of ['example.org, 127.0.0.1', '*']) {
        for (const error of await errorsIn(url, { HTTP_PROXY: proxyOf(url), HTTPS_PROXY: proxyOf(url), NO_PROXY })) {
          expect(error).toMatchObject({ error: { message: `${url} is out of reach (ECONNREFUSED).` } });
        }
      }
    });

    test('an answer of another program is an error with its address', async () => {
      await using server = await faultyServer([{ status: 403, body: '<html>' }]);
      for (const error of await errorsIn(server.url, { HTTP_PROXY: server.url })) {
        const message = `Status 403, but no answer of Hourcast, came from ${server.url}.${named('HTTP_PROXY', server.url)}`;
        expect(error).toEqual({ error: expect.objectContaining({ code: 'unexpected_answer', message }) });
      }
    });
  });

  test('parameters are escaped in paths and queries', async () => {
    const inPath = await askedBy({ method: 'archive', parameters: { period: '../me?x' } });
    expect(inPath).toEqual(INSTALLED.map(() => ['GET /api/leaderboard/archive/..%2Fme%3Fx']));
    const inQuery = await askedBy({ method: 'results', parameters: { round_id: 3, limit: 2, after: 0 } });
    expect(inQuery).toEqual(INSTALLED.map(() => ['GET /api/rounds/3/results?limit=2&after=0']));
  });

  test('a broken feed is opened again after its last whole event', async () => {
    const broken = ['data: {"seq":', 'data: null', 'data: {"kind":"X"}', 'data: {"seq":"9","kind":"X"}', 'data: ['];
    const streams = broken.map((text, at) => `data: {"seq":${at + 1},"kind":"ROUND_OPENED"}\n\n${text}\n\n`);
    const steps = [...streams, BAD_BYTES].map((body): Step => ({ status: 200, body }));
    const fault = refusal(500, 'internal');
    // As a service without segments answers.
    const older = refusal(404, 'unknown_path');
    const met = await inEach({ events: { after: 0 } }, [older, ...steps, fault, refusal(410, 'events_gone')]);
    for (const { values, last, retried, server } of met) {
      expect(values.flatMap(({ seq }) => seq ?? [])).toEqual([1, 2, 3, 4, 5]);
      expect(retried.map(({ retried: code }) => code)).toEqual([...steps.map(() => 'broken_stream'), 'internal']);
      const [head, ...opened] = server.received.map(({ requestLine, lastEventId }) => lastEventId ?? requestLine);
      expect([head, opened]).toEqual(['GET /api/events/head', ['0', '1', '2', '3', '4', '5', '5', '5']]);
      expect(last).toMatchObject({ error: { code: 'events_gone' } });
    }
  });

  test('an export with a broken line continues after the previous one', async () => {
    const parts = ['{"id":', 'null', '{"round_id":1}'].map((text, at) => `{"id":${at + 1}}\n${text}\n`);
    const steps = [...parts, BAD_BYTES].map((body): Step => ({ status: 200, body }));
    for (const { values, retried, server } of await inEach({ rows: 'rounds' }, [...steps, { status: 200, body: '' }])) {
      expect(values.flatMap(({ id }) => id ?? [])).toEqual([1, 2, 3]);
      expect(retried.map(({ retried: code }) => code)).toEqual(steps.map(() => 'broken_stream'));
      expect(server.received.map(({ requestLine }) => requestLine.split('after=')[1])).toEqual([
        undefined,
        '1',
        '2',
        '3',
        '3',
      ]);
    }
  });

  test('an export that breaks off continues after its last whole line', async () => {
    const part: Step = { status: 200, body: '{"id":1}\n{"id":2}\n{"id":', isCut: true };
    const rest: Step = { status: 200, body: '{"id":3}\n' };
    for (const { values, server } of await inEach({ rows: 'rounds' }, [part, rest])) {
      expect(values.filter((value) => 'id' in value)).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
      expect(server.received.map(({ requestLine }) => requestLine)).toEqual([
        'GET /api/export/rounds.ndjson',
        'GET /api/export/rounds.ndjson?after=2',
      ]);
    }
  });

  test.each([
    ['while the feed is read', [HEARTBEAT, { kind: 'ROUND_RESOLVED', round_id: 7 }], ['active']],
    ['before the feed is open', [HEARTBEAT, HEARTBEAT], [null, 'resolved']],
  ])('predict --wait answers before it waits, and finds an outcome decided %s', async (_when, events, statuses) => {
    const round = { id: 7, question: 'Which?', choices: ['BTC', 'ETH'] };
    const stream = events.map((event, at) => `data: ${JSON.stringify({ seq: at + 1, ...event })}\n\n`).join('');
    const decided = { prediction: 'BTC', is_correct: 1, score: 70, streak_bonus: 0, place: 1, pnl_usd: 12 };
    const page = (newest: number, next: string | null): Step => {
      const predictions = [newest, newest - 1].map((id) => ({ round_id: id, ...decided }));
      return { status: 200, body: { predictions, next } };
    };
    const current: Step = { status: 200, body: { round, time_remaining_seconds: 60 } };
    const steps = [
      current,
      TAKEN,
      refusal(500, 'internal_error'),
      { status: 200, body: stream },
      ...statuses.map((status): Step =>
        status === null ? refusal(500, 'internal_error') : { status: 200, body: { round: { ...round, status } } },
      ),
      refusal(503, 'unavailable'),
      page(10, 'older'),
      page(8, null),
    ];
    for (const line of COMMAND_LINES) {
      await using server = await faultyServer(steps);
      const words = ['predict', 'BTC', '60', '--wait', '--json', '--patience', '0'];
      const { code, stdout } = await line.run(words, { url: server.url, key: KEY });
      expect({ code, told: JSON.parse(stdout) }).toMatchObject({
        code: 0,
        told: { outcome: { round_id: 7, score: 70 } },
      });
      const own = 'GET /api/me/predictions?limit=100';
      expect(server.received.map(({ requestLine }) => requestLine)).toEqual([
        'GET /api/rounds/current',
        'POST /api/predictions',
        'GET /api/events',
        'GET /api/events',
        ...statuses.map(() => 'GET /api/rounds/7'),
        own,
        own,
        `${own}&after=older`,
      ]);
    }
  });

  test('a CSV export that breaks off within a cell continues after its last whole row', async () => {
    const part: Step = { status: 200, body: 'id,text\r\n1,"a\r\n7,b"\r\n2,"c\r\n', isCut: true };
    const rest: Step = { status: 200, body: 'id,text\r\n2,"c\r\nd"\r\n' };
    for (const line of COMMAND_LINES) {
      await using server = await faultyServer([part, rest]);
      const { stdout } = await line.run(['export', 'rationales', '--format', 'csv'], { url: server.url });
      expect(stdout).toBe('id,text\n1,"a\n7,b"\n2,"c\nd"\n');
      const path = 'GET /api/export/rationales.csv';
      expect(server.received.map(({ requestLine }) => requestLine)).toEqual([path, `${path}?after=1`]);
    }
  });
});
