import { beforeAll, expect, test } from '@jest/globals';

import { predict, type Player, registerMany } from '../support/agents.ts';
import { currentRound } from '../support/rounds.ts';
import { startService } from '../support/service.ts';
import { namesDuring, statementsDuring } from '../resolvers/analysts/counted-statements.ts';
import { sharedService } from '../support/shared.ts';

/* Lookups that requests share or save, by count; bounds.test.ts has the cost of each request. */

const GROUP = 32;
const TRIES = 3;

// Every answer is made anew.
const service = sharedService(() => ({ keeping: { bytes: 0 } }));
let players: readonly Player[];

beforeAll(async () => {
  players = await registerMany(service, 'counted', GROUP);
});

test('concurrent cached answers of own profiles share one lookup of all keys', async () => {
  await using stack = new AsyncDisposableStack();
  const keeping = await startService();
  stack.defer(() => keeping.stop());
  const some = await registerMany(keeping, 'keeping', 8);
  const ask = () => Promise.all(some.map(({ key }) => keeping.request('GET', '/api/me', { key })));
  const tries: (readonly (string | null)[])[] = [];
  while (tries.length < TRIES) {
    // On a busy machine a cached answer may expire before the next request.
    await ask();
    const readAll = async () => expect((await ask()).map(({ status }) => status)).toEqual(some.map(() => 200));
    tries.push(await namesDuring(readAll));
  }
  const [names = []] = tries.toSorted((one, other) => one.length - other.length);
  expect(names.filter((name) => name !== 'key-holders')).toEqual([]);
  expect(names.length).toBeLessThan(some.length);
});

test.each([
  ['/api/me', 2],
  ['/api/agents/:id', 1],
])('concurrent readings of GET %s share their statements', async (path, alone) => {
  const statements = await statementsDuring(async () => {
    const all = players.map(({ id, key }) => service.request('GET', path.replace(':id', String(id)), { key }));
    const names = (await Promise.all(all)).map(({ body }) => body.agent.name);
    expect(names).toEqual(players.map(({ name }) => name));
  });
  expect(statements.length).toBeLessThan(alone * players.length);
});

test('an accepted submission shows its own words and sealed answer by one statement', async () => {
  await using stack = new AsyncDisposableStack();
  const sealed = await startService({ picks: 'sealed' });
  stack.defer(() => sealed.stop());
  const [player] = await registerMany(sealed, 'sealed', 1);
  const { id, choices } = await currentRound(sealed);
  const body = { round_id: id, prediction: choices[0], confidence: 81, model: 'own-7b' };
  const statements = await statementsDuring(async () => {
    const answer = await sealed.request('POST', '/api/predictions', { key: player?.key, body });
    expect(answer.body.prediction).toMatchObject({ confidence: 81, model: 'own-7b' });
  });
  expect(statements).toEqual([expect.stringContaining('insert into predictions')]);
});

test('a change of an agent looks its key up once', async () => {
  const [player] = players;
  const names = await namesDuring(async () => {
    const { status } = await service.request('PATCH', '/api/me', { key: player?.key, body: { about: 'I count.' } });
    expect(status).toBe(200);
  });
  expect(names.filter((name) => name === 'key-holders')).toHaveLength(1);
});

const REFUSED = [
  { reason: 'not_current_round', of: (id: number) => ({ round_id: id + 1 }) },
  { reason: 'already_predicted', of: (id: number) => ({ round_id: id }) },
] as const;

/** Of many at once, as at the edge of an hour: each lookup is one statement for all that wait for it. */
test.each(REFUSED)(`${GROUP} concurrent submissions refused as $reason share their lookups`, async (row) => {
  const round = (await service.request('GET', '/api/rounds/current')).body.round;
  const submit = async ({ key }: Player) => {
    const body = { prediction: round.choices[0], confidence: 50, ...row.of(round.id) };
    const headers = { 'idempotency-key': `${row.reason}-${key}` };
    return (await service.request('POST', '/api/predictions', { key, body, headers })).body;
  };
  await Promise.all(players.map(async (player) => predict(service, player)));
  const reasons: unknown[] = [];
  const statements = await statementsDuring(async () => {
    for (const { code } of await Promise.all(players.map(submit))) reasons.push(code);
  });
  expect(reasons).toEqual(players.map(() => row.reason));
  expect(statements.length).toBeLessThanOrEqual(GROUP);
});
