import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';

import { GraphQLError } from 'graphql';

import { callersError } from '../../src/graphql/errors.ts';
import { startService, type TestService } from '../support/service.ts';
import { ask, registered, answerOf } from '../support/asking.ts';
import { expectRefusal } from '../support/refusals.ts';

let service: TestService;
let keys: { readonly compete: string; readonly spectate: string };

beforeAll(async () => {
  service = await startService();
  keys = {
    compete: (await registered(service, 'Competitor')).key,
    spectate: (await registered(service, 'Spectator', 'spectate')).key,
  };
});
afterAll(() => service.stop());
afterEach(() => {
  expect(service.reported).toEqual([]);
});

const PREDICT = (round: number, confidence = 60) =>
  `mutation { submitPrediction(roundId: ${round}, prediction: "YES", confidence: ${confidence}) { id } }`;

/** What the domain refuses: the field is named, the others are answered. */
const REFUSED: readonly (readonly [
  code: string,
  document: string,
  message: RegExp,
  caller?: 'compete' | 'spectate',
])[] = [
  ['BAD_REQUEST', '{ rounds(first: 0) { nodes { id } } }', /^first must be a whole number from 1 to 100 \(got 0\)\.$/],
  ['BAD_REQUEST', '{ rounds(first: 101) { nodes { id } } }', /first .*1 to 100 \(got 101\)/],
  ['BAD_REQUEST', '{ rounds(after: "xx") { nodes { id } } }', /after must be an endCursor of an earlier page/],
  ['BAD_REQUEST', '{ rounds(after: "MQ==") { nodes { id } } }', /after must be an endCursor of an earlier page/],
  ['BAD_REQUEST', '{ rounds(asset: "GOLD") { nodes { id } } }', /asset must be one of BTC, .*got "GOLD"/],
  ['BAD_REQUEST', '{ leaderboard(limit: 101) { period } }', /limit .*1 to 100 \(got 101\)/],
  ['BAD_REQUEST', '{ schedule(hours: 0) { startTime } }', /hours .*1 to 168 \(got 0\)/],
  ['BAD_REQUEST', '{ agent { id } }', /either an id or a name \(got neither\)/],
  ['BAD_REQUEST', '{ agent(id: 1, name: "Competitor") { id } }', /either an id or a name \(got both\)/],
  ['BAD_REQUEST', 'mutation { register(name: "x") { apiKey } }', /3.*50/],
  ['BAD_REQUEST', PREDICT(999), /roundId must be \d+, the id of the current round \(got 999\)/, 'compete'],
  ['BAD_REQUEST', PREDICT(1, 101), /confidence/, 'compete'],
  ['UNAUTHENTICATED', '{ me { id } }', /Authorization: Bearer/],
  ['UNAUTHENTICATED', PREDICT(1), /Authorization: Bearer/],
  ['UNAUTHENTICATED', 'mutation { rotateKey { apiKey } }', /Authorization: Bearer/],
  ['UNAUTHENTICATED', 'mutation { activate { mode } }', /Authorization: Bearer/],
  ['FORBIDDEN', PREDICT(1), /spectator cannot predict/, 'spectate'],
  ['NOT_FOUND', '{ round(id: 1) { results { id } } }', /no results yet: it ends at/],
  ['CONFLICT', 'mutation { register(name: "competitor") { apiKey } }', /name "competitor" is taken/],
];

test.each(REFUSED)('the error %s comes for %s', async (...[code, document, message, caller]) => {
  const { status, errors } = await ask(service, document, { key: caller && keys[caller] });
  expect(status).toBe(200);
  expect(errors).toEqual([
    expect.objectContaining({
      message: expect.stringMatching(message),
      path: expect.any(Array),
      extensions: expect.objectContaining({ code, reason: expect.any(String) }),
    }),
  ]);
});

describe('names of arguments', () => {
  const REFUSALS = [
    {
      mutation: 'submitPrediction(roundId: 999, prediction: "YES", confidence: 60) { id }',
      graphql: /^roundId must be 1, the id of the current round \(got 999\)\.$/,
      path: '/api/predictions',
      body: { round_id: 999, prediction: 'YES', confidence: 60 },
      rest: /^round_id must be 1, the id of the current round \(got 999\)\.$/,
    },
    {
      mutation: 'submitPrediction(roundId: 1, prediction: "YES", confidence: 60, idempotencyKey: "") { id }',
      graphql: /^idempotencyKey must be 1 to 128 .* \(got ""\)/,
      path: '/api/predictions',
      body: { round_id: 1, prediction: 'YES', confidence: 60 },
      headers: { 'idempotency-key': 'x'.repeat(129) },
      rest: /^Idempotency-Key must be 1 to 128 .* \(got "xxx/,
    },
    {
      mutation: 'register(name: "walleted", walletAddress: "0x1") { apiKey }',
      graphql: /^walletAddress must be "0x" and 40 .* \(got "0x1"\)/,
      path: '/api/agents/register',
      body: { name: 'walleted', wallet_address: '0x1' },
      rest: /^wallet_address must be "0x" and 40 .* \(got "0x1"\)/,
    },
  ];

  test.each(REFUSALS)(
    'an error has the argument’s name in the caller’s interface: $rest',
    async ({ mutation, graphql, path, body, headers, rest }) => {
      const { errors } = await ask(service, `mutation { ${mutation} }`, { key: keys.compete });
      expect(errors.map(({ message }) => message)).toEqual([expect.stringMatching(graphql)]);
      const answer = await service.request('POST', path, { key: keys.compete, body, ...(headers ? { headers } : {}) });
      expectRefusal(answer, 400, rest);
    },
  );
});

test.each(['22021', '22P05'])('text that the database cannot store (%s) is BAD_REQUEST, not a fault', (code) => {
  const originalError = Object.assign(new Error('invalid byte sequence for encoding "UTF8": 0x00'), { code });
  expect(callersError(new GraphQLError('', { originalError, path: ['agent'] }))).toMatchObject({
    code: 'BAD_REQUEST',
    message: 'Text must hold no NUL character and be valid Unicode.',
  });
});

test('UNAVAILABLE has a retry time, and the other fields are answered', async () => {
  const quotes = service.market.quotes.bind(service.market);
  service.market.quotes = () => null;
  try {
    const { errors } = await ask(service, '{ market { source } }');
    expect(errors[0]?.extensions).toEqual({
      code: 'UNAVAILABLE',
      reason: 'no_prices_yet',
      retryAfter: expect.any(Number),
    });
  } finally {
    service.market.quotes = quotes;
  }
  const { data, errors } = await ask(service, '{ me { id } health { status } }');
  expect([data, errors.length]).toEqual([{ me: null, health: { status: 'ok' } }, 1]);
});

/** What fits no schema: nothing is executed. */
const UNREADABLE: readonly (readonly [fault: string, body: unknown, message: RegExp])[] = [
  ['a syntax error', { query: '{ health { status' }, /^Syntax Error/],
  ['an unknown argument', { query: '{ round(id: 1, no: 2) { id } }' }, /Unknown argument "no"/],
  ['a missing argument', { query: '{ round { id } }' }, /argument "id".* required/],
  ['a wrong enum value', { query: '{ leaderboard(period: yearly) { period } }' }, /"yearly".* "Period"/],
  ['a wrong literal', { query: '{ round(id: "1") { id } }' }, /Int cannot represent/],
  ['an integer beyond 2^53 - 1', { query: '{ round(id: 9007199254740992) { id } }' }, /Int cannot represent/],
  [
    'an instant without a zone',
    { query: '{ rounds(from: "2026-01-01T00:00:00") { nodes { id } } }' },
    /DateTime must be/,
  ],
  [
    'an instant of a day that does not exist',
    { query: '{ rounds(from: "2026-02-30T00:00:00Z") { nodes { id } } }' },
    /DateTime must be .* \(got "2026-02-30T00:00:00Z"\)/,
  ],
  [
    'a variable of a day that does not exist',
    { query: 'query ($at: DateTime) { rounds(from: $at) { nodes { id } } }', variables: { at: '2025-02-29T10:00Z' } },
    /DateTime must be/,
  ],
  [
    'a wrong variable',
    { query: 'query ($id: Int!) { round(id: $id) { id } }', variables: { id: '1' } },
    /Variable "\$id"/,
  ],
  ['a missing variable', { query: 'query ($id: Int!) { round(id: $id) { id } }' }, /"\$id" .*was not provided/],
  [
    'a variable that is no instant',
    { query: 'query ($at: DateTime) { rounds(from: $at) { nodes { id } } }', variables: { at: 5 } },
    /DateTime must be/,
  ],
  ['variables that are no object', { query: '{ health { status } }', variables: 'none' }, /variables/],
  [
    'two operations and no name',
    { query: 'query A { health { status } } query B { health { status } }' },
    /operation name/,
  ],
  [
    'an operation that is not there',
    { query: 'query A { health { status } }', operationName: 'B' },
    /operation named "B"/,
  ],
  ['a document that is no text', { query: 5 }, /string/],
  ['an empty object', {}, /./],
  ['broken JSON', '{"query":', /JSON/],
];

test.each(UNREADABLE)('%s is BAD_REQUEST, without a stack trace', async (_fault, body, message) => {
  const { data, errors, text } = answerOf(await service.request('POST', '/graphql', { body }));
  expect([data, errors[0]?.extensions.code, errors[0]?.message]).toEqual([
    null,
    'BAD_REQUEST',
    expect.stringMatching(message),
  ]);
  expect(text).not.toMatch(/stack|node_modules|at \w+ \(|\.ts:\d/);
});

test('an internal error is INTERNAL, reported and without details', async () => {
  const quotes = service.market.quotes.bind(service.market);
  service.market.quotes = () => {
    throw new Error('secret detail');
  };
  try {
    const { errors, text } = await ask(service, '{ market { source } }');
    expect(errors[0]).toMatchObject({ message: 'Internal server error.', extensions: { code: 'INTERNAL' } });
    expect(text).not.toContain('secret');
    expect(service.reported.splice(0)).toEqual([new Error('secret detail')]);
  } finally {
    service.market.quotes = quotes;
  }
});
