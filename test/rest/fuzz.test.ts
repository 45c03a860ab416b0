import { request } from 'node:http';

import { beforeAll, expect, test } from '@jest/globals';
import * as fc from 'fast-check';

import type { Answer } from '../support/service.ts';
import { type Player, register } from '../support/agents.ts';
import { expectErrorBody } from '../support/refusals.ts';
import { ALL_ENDPOINTS, named, pathWith } from '../support/spec-endpoints.ts';
import { sharedService } from '../support/shared.ts';

const RUNS = { numRuns: 30 };
const INTERNAL = /node_modules|\.ts:\d|\n\s+at |select |insert |violates|syntax error|ECONN/i;

const oddText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string(),
  fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    '\u0000',
    '\ud800',
    '%00',
    '‮',
    '0x10',
    '1e3',
    'NaN',
    '-0',
    '',
  ),
  fc.string({ minLength: 1000, maxLength: 3000 }),
  fc.integer().map(String),
  fc.bigInt().map(String),
);
const fieldName = fc.oneof(
  fc.constantFrom('name', 'mode', 'wallet_address', 'round_id', 'prediction', 'confidence', '__proto__', 'constructor'),
  oddText,
);
const value = fc.oneof(
  fc.jsonValue(),
  oddText,
  fc.integer(),
  fc.constantFrom(1, 50, 'YES', 'compete', null, { toString: 1 }, { toString: null, valueOf: null }, [['YES']]),
);
const body = fc.oneof(
  { weight: 4, arbitrary: fc.dictionary(fieldName, value).map((fields) => JSON.stringify(fields)) },
  { weight: 1, arbitrary: fc.jsonValue().map((json) => JSON.stringify(json)) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary' }) },
);

const service = sharedService();
let player: Player;

beforeAll(async () => {
  player = await register(service, 'player');
});

/** No input is the service's fault, and every refusal is `{"error": <description>}`. */
function expectPoliteness(answer: Pick<Answer, 'status' | 'body'>): void {
  expect(answer.status).toBeLessThan(500);
  expect(answer.status).toBeGreaterThanOrEqual(200);
  if (answer.status < 300) return;
  expectErrorBody(answer);
  expect(answer.body.error).not.toMatch(INTERNAL);
}

test.each(named(ALL_ENDPOINTS.filter(({ method }) => method === 'POST')))(
  '%s never answers 5xx to any body',
  async (_, { method, path }) => {
    await fc.assert(
      fc.asyncProperty(body, async (text) => {
        expectPoliteness(await service.request(method, path, { key: player.key, body: text }));
      }),
      RUNS,
    );
  },
);

test('POST /api/predictions never answers 5xx to any values of its fields', async () => {
  const fields = fc.record({ round_id: value, prediction: value, confidence: value }, { requiredKeys: [] });
  await fc.assert(
    fc.asyncProperty(fields, async (submission) => {
      expectPoliteness(await service.request('POST', '/api/predictions', { key: player.key, body: submission }));
    }),
    RUNS,
  );
});

test.each(named(ALL_ENDPOINTS.filter(({ method }) => method === 'GET')))(
  '%s never answers 5xx to any query',
  async (_, row) => {
    const name = fc.oneof(
      fc.constantFrom('limit', 'after', 'period', 'name', 'hours', 'limit[]', '__proto__'),
      oddText,
    );
    const encoded = fc
      .array(fc.tuple(name, oddText), { maxLength: 4 })
      .map((pairs) =>
        pairs
          .map(
            ([left, right]) => `${encodeURIComponent(left.toWellFormed())}=${encodeURIComponent(right.toWellFormed())}`,
          )
          .join('&'),
      );
    const raw = fc.string().map((text) => text.replaceAll('#', ''));
    await fc.assert(
      fc.asyncProperty(fc.oneof(encoded, raw), async (query) => {
        expectPoliteness(await service.request('GET', `${pathWith(row)}?${query.slice(0, 8000)}`, { key: player.key }));
      }),
      { numRuns: 20 },
    );
  },
);

test('no path gets a 5xx', async () => {
  const part = fc.oneof(
    fc.constantFrom(
      'api',
      'rounds',
      'agents',
      'me',
      'data',
      '1',
      'results',
      'entries',
      '..',
      '.',
      '%2e%2e',
      '%00',
      '%',
      '%ff',
      '',
    ),
    oddText.map((text) => encodeURIComponent(text.toWellFormed())),
    fc.integer().map(String),
  );
  const path = fc.array(part, { maxLength: 6 }).map((parts) => `/${parts.join('/')}`.slice(0, 8000));
  const id = fc
    .constantFrom('/api/agents/', '/api/rounds/')
    .chain((prefix) => part.map((odd) => prefix + odd.slice(0, 8000)));
  await fc.assert(
    fc.asyncProperty(fc.constantFrom('GET', 'POST', 'DELETE'), fc.oneof(path, id), async (method, odd) => {
      const answer = await plainRequest(method, odd);
      // Pages are refused as pages; their paths with a slash at the end lead to those without.
      if (String(answer.body).startsWith('<!doctype html>')) expect([200, 404]).toContain(answer.status);
      else if (answer.status !== 200 && answer.status !== 308) expectPoliteness(answer);
    }),
    { numRuns: 150, examples: [['GET', '/rounds/3']] },
  );
});

test('no header gets a 5xx', async () => {
  // What Node lets a client send at all: visible Latin-1, without DEL.
  const character = fc
    .integer({ min: 0x20, max: 0xff })
    .filter((code) => code !== 0x7f)
    .map((code) => String.fromCharCode(code));
  const printable = fc.string({ unit: character });
  const headers = fc.record({ authorization: printable, 'idempotency-key': printable, 'x-forwarded-for': printable });
  await fc.assert(
    fc.asyncProperty(headers, fc.boolean(), async (odd, known) => {
      const authorization = known ? `Bearer ${player.key}` : odd.authorization;
      const sent = { body: { round_id: 1, prediction: 'MAYBE', confidence: 1 }, headers: { ...odd, authorization } };
      expectPoliteness(await service.request('POST', '/api/predictions', sent));
    }),
    RUNS,
  );
});

/** A request whose path goes out as it is; fetch would tidy it up. */
function plainRequest(method: string, path: string): Promise<Pick<Answer, 'status' | 'body'>> {
  const { hostname, port } = new URL(service.url);
  return new Promise((resolve, reject) => {
    const sent = request({ hostname, port, method, path, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => (text += chunk));
      response.on('end', () => {
        const json = response.headers['content-type']?.includes('json');
        resolve({ status: response.statusCode ?? 0, body: json ? JSON.parse(text) : text });
      });
    });
    sent.on('error', reject);
    sent.end();
  });
}
