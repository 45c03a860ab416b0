import { describe, expect, test } from '@jest/globals';

import {
  breakingChanges,
  contractFiles,
  contractOf,
  judgeContract,
} from '../../../scripts/release/contract/contract.ts';

const FILES = contractFiles('1.0.0');
const RELEASED = contractOf(FILES);

// Planted changes reach any depth.
// oxlint-disable-next-line typescript/no-explicit-any
type Json = Record<string, any>;

/** The released contract with one change to its reference. */
function withReference(change: (reference: Json) => void) {
  const reference = JSON.parse(FILES['openapi.json']);
  change(reference);
  return contractOf({ ...FILES, 'openapi.json': JSON.stringify(reference) });
}

/** The released contract with one text of its schema replaced. */
function withSchema(before: string | RegExp, after: string) {
  expect(FILES['schema.graphql'].split(before).length).toBeGreaterThan(1);
  return contractOf({ ...FILES, 'schema.graphql': FILES['schema.graphql'].replace(before, after) });
}

const parameter = (operation: Json, name: string): Json =>
  operation['parameters'].find((one: Json) => one['name'] === name);
const board = ({ paths }: Json): Json => paths['/api/leaderboard'].get;
const predictions = ({ paths }: Json): Json => paths['/api/predictions'].post;
const bodyOf = ({ components, paths }: Json): Json => {
  const { $ref } = paths['/api/predictions'].post.requestBody.content['application/json'].schema;
  return components.schemas[$ref.split('/').at(-1)];
};
const change = ({ components }: Json): Json => components['schemas'].Change;
const bodyName = (): string => {
  const { $ref } = JSON.parse(FILES['openapi.json']).paths['/api/predictions'].post.requestBody.content[
    'application/json'
  ].schema;
  return $ref.split('/').at(-1);
};

const IN_SCHEMA = [
  ['a type is removed', /\bServiceKeys\b/g, 'OtherKeys', 'ServiceKeys'],
  ['a field is removed', '  date: String!\n  kind: ChangeKind!', '  kind: ChangeKind!', 'Change.date'],
  ['a field may be null now', '  kind: ChangeKind!', '  kind: ChangeKind', 'Change.kind'],
  ['a field has another type', '  date: String!\n  kind', '  date: Int!\n  kind', 'Change.date'],
  ['an argument is removed', 'schedule(hours: Int = 24)', 'schedule', 'Query.schedule(hours:)'],
  ['an argument is added that is required', 'health: Health!', 'health(of: Int!): Health!', 'Query.health(of:)'],
  ['an argument has another type', 'changes(since: String)', 'changes(since: Int)', 'Query.changes(since:)'],
  ['an argument is required now', 'changes(since: String)', 'changes(since: String!)', 'Query.changes(since:)'],
  ['a default is another', 'schedule(hours: Int = 24)', 'schedule(hours: Int = 12)', 'Query.schedule(hours:)'],
  ['a value of an enum is removed', '  compete\n', '', 'AgentMode.compete'],
  [
    'an input has a new required field',
    'input StandingPredictionInput {',
    'input StandingPredictionInput {\n  more: Int!',
    'StandingPredictionInput.more',
  ],
] as const;

const IN_REFERENCE: readonly (readonly [string, (reference: Json) => void, string, RegExp])[] = [
  ['a path is removed', ({ paths }) => delete paths['/api/stats'], 'GET /api/stats', /is removed/],
  ['a method is removed', ({ paths }) => delete paths['/api/me'].patch, 'PATCH /api/me', /is removed/],
  [
    'a parameter is removed',
    (all) => board(all)['parameters'].pop(),
    'GET /api/leaderboard',
    /: parameter \S+ is removed/,
  ],
  [
    'a parameter is required now',
    (all) => (parameter(board(all), 'limit')['required'] = true),
    'GET /api/leaderboard',
    /parameter limit is now required/,
  ],
  [
    'a required parameter is added',
    (all) => board(all)['parameters'].push({ name: 'more', in: 'query', required: true, schema: {} }),
    'GET /api/leaderboard',
    /parameter more is now required/,
  ],
  [
    'a parameter has another type',
    (all) => (parameter(board(all), 'limit')['schema'] = { type: 'string' }),
    'GET /api/leaderboard',
    /parameter limit no longer accepts integer/,
  ],
  [
    'a maximum is lower',
    (all) => (parameter(board(all), 'limit')['schema'].maximum = 50),
    'GET /api/leaderboard',
    /parameter limit has a lower maximum \(50\)/,
  ],
  [
    'a minimum is higher',
    (all) => (parameter(board(all), 'limit')['schema'].minimum = 2),
    'GET /api/leaderboard',
    /parameter limit has a higher minimum \(2\)/,
  ],
  [
    'a default is another',
    (all) => (parameter(board(all), 'limit')['schema'].default = 7),
    'GET /api/leaderboard',
    /parameter limit has another default \(50 before, 7 now\)/,
  ],
  [
    'a value is accepted no more',
    (all) => all['components'].schemas.QuestionType.enum.pop(),
    'QuestionType',
    /no longer accepts/,
  ],
  [
    'a field of a request is removed',
    (all) => delete bodyOf(all)['properties'].confidence,
    bodyName(),
    /confidence is removed/,
  ],
  [
    'a field of a request is required now',
    (all) => bodyOf(all)['required'].push('rationale'),
    bodyName(),
    /rationale is now required/,
  ],
  ['a field of an answer is removed', (all) => delete change(all)['properties'].text, 'Change', /text is removed/],
  [
    'a field of an answer may be absent now',
    (all) => change(all)['required'].pop(),
    'Change',
    /text may now be absent/,
  ],
  [
    'a field of an answer may be null now',
    (all) => (change(all)['properties'].text.type = ['string', 'null']),
    'Change',
    /text may now be null/,
  ],
  [
    'a field of an answer has another type',
    (all) => (change(all)['properties'].text.type = 'integer'),
    'Change',
    /text may now be integer/,
  ],
  [
    'a field of an answer has another format',
    (all) => (change(all)['properties'].date.format = 'date-time'),
    'Change',
    /date has another format \(none before, date-time now\)/,
  ],
  [
    'a status is removed',
    (all) => delete board(all)['responses']['304'],
    'GET /api/leaderboard',
    /status 304 is removed/,
  ],
  [
    'a key is needed now',
    (all) => (board(all)['security'] = [{ apiKey: [] }]),
    'GET /api/leaderboard',
    /now needs a key/,
  ],
  [
    'a content type is removed',
    (all) => (predictions(all)['requestBody'].content = {}),
    'POST /api/predictions',
    /application\/json of the body is removed/,
  ],
  [
    'a header is removed',
    (all) => delete board(all)['responses'][200].headers.ETag,
    'GET /api/leaderboard',
    /header ETag of status 200 is removed/,
  ],
  [
    'a body is required now',
    ({ paths }) => (paths['/api/stats'].get.requestBody = { required: true, content: {} }),
    'GET /api/stats',
    /a body is now required/,
  ],
  [
    'a limit is lower',
    (all) => (board(all)['x-rate-limit'].requests = 10),
    'GET /api/leaderboard',
    /its limit is lower/,
  ],
  [
    'clients’ method has another name',
    (all) => (board(all)['operationId'] = 'getBoard'),
    'operationId',
    /getLeaderboard is now getBoard/,
  ],
  ['a webhook is removed', ({ webhooks }) => delete webhooks.message, 'webhook message', /is removed/],
];

describe('a planted breaking change is found, with the name of its element', () => {
  test.each(IN_SCHEMA)('GraphQL: %s', (_what, before, after, element) => {
    const found = breakingChanges(RELEASED, withSchema(before, after));
    expect(found.map((one) => one.element)).toContain(element);
  });

  test.each(IN_REFERENCE)('REST: %s', (_what, plant, element, clause) => {
    const found = breakingChanges(RELEASED, withReference(plant));
    expect(found).toContainEqual({ element, change: expect.stringMatching(clause) });
  });
});

describe('an addition is no breaking change', () => {
  test.each([
    ['type Change {', 'type Change {\n  more: Int'],
    ['changes(since: String)', 'changes(since: String, before: String)'],
    ['enum ChangeKind {', 'enum ChangeKind {\n  security'],
    ['changes(since: String): [Change!]!', 'changes(since: String): [Change!]! @deprecated(reason: "Old.")'],
  ])('GraphQL: %s', (before, after) => {
    expect(breakingChanges(RELEASED, withSchema(before, after))).toEqual([]);
  });

  const additions: readonly (readonly [string, (reference: Json) => void])[] = [
    ['a path', ({ paths }) => (paths['/api/more'] = { get: board({ paths }) })],
    [
      'an optional parameter',
      (all) => board(all)['parameters'].push({ name: 'more', in: 'query', required: false, schema: {} }),
    ],
    ['a wider range', (all) => (parameter(board(all), 'limit')['schema'].maximum = 1000)],
    ['an optional field of a request', (all) => (bodyOf(all)['properties'].more = { type: 'string' })],
    [
      'a field of an answer',
      (all) => {
        change(all)['properties'].more = { type: 'string' };
        change(all)['required'].push('more');
      },
    ],
    ['a value of an answer', (all) => all['components'].schemas.ChangeKind.enum.push('security')],
    ['a status', (all) => (board(all)['responses']['418'] = { description: 'More' })],
    ['a header', (all) => (board(all)['responses'][200].headers.More = {})],
    ['a key is needed no more', ({ paths }) => (paths['/api/me'].get.security = [])],
    ['a key may be sent', (all) => (board(all)['security'] = [{}, { apiKey: [] }])],
    ['a higher limit', (all) => (board(all)['x-rate-limit'].requests = 1000)],
    ['deprecation', (all) => (board(all)['deprecated'] = true)],
  ];
  test.each(additions)('REST: %s', (_what, add) => {
    expect(breakingChanges(RELEASED, withReference(add))).toEqual([]);
  });
});

const changelog = (kind: string, text: string): string =>
  `# Changelog\n\n## Unreleased\n\n### ${kind}\n\n- ${text}\n\n## 1.0.0 (2026-01-01)\n\n### Removed\n\n- \`GET /api/me\` went.\n`;

describe('the check', () => {
  const without = withReference(({ paths }) => delete paths['/api/stats']);

  test('fails for a breaking change without an entry, and names it', () => {
    expect(judgeContract(RELEASED, without, changelog('Added', '`GET /api/stats` is new.'))).toEqual({
      passes: false,
      sentence:
        'Breaking changes since 1.0.0 need an entry under Changed or Removed of the changelog with the name in backticks:\n' +
        '  `GET /api/stats`: GET /api/stats: it is removed.',
    });
  });

  test.each(['Removed', 'Changed: check before upgrading'])('passes with an entry under %s', (kind) => {
    const { passes, sentence } = judgeContract(RELEASED, without, changelog(kind, '`GET /api/stats` goes.'));
    expect([passes, sentence]).toEqual([true, 'Contract: 1 breaking changes since 1.0.0, all in the changelog.']);
  });

  test('does not count an entry of the released version', () => {
    const withoutMe = withReference(({ paths }) => delete paths['/api/me'].get);
    expect(judgeContract(RELEASED, withoutMe, changelog('Added', 'Nothing.')).passes).toBe(false);
  });
});
