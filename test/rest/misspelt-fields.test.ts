import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { type Player, register } from '../support/agents.ts';
import { expectRefusal } from '../support/refusals.ts';
import { currentRound } from '../support/rounds.ts';
import { type Answer, startService, type TestService } from '../support/service.ts';

let service: TestService;
let player: Player;
let submission: Readonly<Record<string, unknown>>;

beforeAll(async () => {
  service = await startService();
  player = await register(service, 'player');
  const round = await currentRound(service);
  submission = { round_id: round.id, prediction: round.choices[0], confidence: 60 };
});
afterAll(() => service.stop());

/** A body that is plain JSON is read at once, any other by a parser of all spellings. */
const WAYS = [
  { way: 'a plain body', type: 'application/json' },
  { way: 'another spelling', type: 'application/json;charset=UTF-8' },
];

function send(path: string, body: object, type = 'application/json'): Promise<Answer> {
  return service.request('POST', path, { key: player.key, body, headers: { 'content-type': type } });
}

describe.each(WAYS)('a submission through $way', ({ type }) => {
  test.each([
    ['dryRun', 'dry_run'],
    ['dry-run', 'dry_run'],
    ['DRY_RUN', 'dry_run'],
    ['dryrun', 'dry_run'],
    ['dry_rum', 'dry_run'],
    ['dry_rnu', 'dry_run'],
    ['confidnce', 'confidence'],
    ['predictions', 'prediction'],
    ['roundId', 'round_id'],
  ])('a submission with the field %s is refused with the hint %s', async (misspelt, meant) => {
    const answer = await send('/api/predictions', { ...submission, [misspelt]: true }, type);
    const error = `A field must be one of round_id, prediction, confidence, dry_run, rationale, model (got "${misspelt}"). Did you mean "${meant}"?`;
    expectRefusal(answer, 400);
    expect(answer.body).toMatchObject({ error, code: 'unknown_parameter', param: misspelt });
  });

  test('a misspelt field and the missing one are reported together', async () => {
    const { confidence, ...rest } = submission;
    const answer = await send('/api/predictions', { ...rest, confidnce: confidence }, type);
    expect(answer.body.errors.map(({ param, code }: Record<string, unknown>) => [param, code])).toEqual([
      ['confidnce', 'unknown_parameter'],
      ['confidence', 'missing_parameter'],
    ]);
  });

  test('at most five misspelt fields are reported', async () => {
    const many = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`dry_run${'abcdefghijklmnopqrst'[at]}`, 1]));
    expect((await send('/api/predictions', { ...submission, ...many }, type)).body.errors).toHaveLength(5);
  });
});

test('misspelt submissions are not stored', async () => {
  expect((await service.request('GET', '/api/me', { key: player.key })).body.recent_predictions).toEqual([]);
});

test.each([
  ['Name', 'name'],
  ['modes', 'mode'],
  ['walletAddress', 'wallet_address'],
])('a registration with the field %s is refused with the hint %s', async (misspelt, meant) => {
  const answer = await send('/api/agents/register', { name: 'misspelt', [misspelt]: 'x' });
  expectRefusal(answer, 400, new RegExp(`\\(got "${misspelt}"\\)\\. Did you mean "${meant}"\\?$`));
});

test.each(['/api/me/activate', '/api/me/rotate-key'])('%s has no fields and accepts unknown ones', async (path) => {
  const { key } = await register(service, `fieldless-${path.slice(8, 11)}`, { mode: 'spectate' });
  const { status } = await service.request('POST', path, { key, body: { dryRun: true } });
  expect(status).toBe(200);
});

test.each(WAYS)('unknown fields unlike any known one are ignored through $way', async ({ way, type }) => {
  const { key } = await register(service, `stranger-${way.replaceAll(' ', '-')}`);
  const more = { note: 'mine', model: 'm', rationale: 'r', reasoning_steps: [], d: 1, '': 2 };
  const headers = { 'content-type': type };
  const answer = await service.request('POST', '/api/predictions', { key, body: { ...submission, ...more }, headers });
  expect(answer.status).toBe(201);
});
