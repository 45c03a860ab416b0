import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { startService, type TestService } from '../support/service.ts';
import { ask, dataOf, registered } from '../support/asking.ts';

const KEY = /^pk_live_[0-9a-f]{48}$/;

let service: TestService;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service.stop());

test('register returns an agent and a key that works at once over GraphQL and REST', async () => {
  const { register } = await dataOf(
    service,
    'mutation { register(name: "Cleo") { apiKey agent { id name mode totalPoints registeredAt } } }',
  );
  expect(register).toEqual({
    apiKey: expect.stringMatching(KEY),
    agent: { id: expect.any(Number), name: 'Cleo', mode: 'compete', totalPoints: 0, registeredAt: null },
  });
  expect((await dataOf(service, '{ me { name } }', { key: register.apiKey })).me).toEqual({ name: 'Cleo' });
  expect((await service.request('GET', '/api/me', { key: register.apiKey })).status).toBe(200);
});

const PREDICT = `mutation ($roundId: Int!, $prediction: String!, $confidence: Int!) {
  submitPrediction(roundId: $roundId, prediction: $prediction, confidence: $confidence) {
    id agentName roundId prediction confidence submittedAt score isCorrect replayed agent { name } round { id status totalEntries } } }`;

test('submitPrediction accepts an agent’s prediction once', async () => {
  const { key } = await registered(service, 'Dora');
  const { currentRound } = await dataOf(service, '{ currentRound { id choices } }');
  const variables = { roundId: currentRound.id, prediction: currentRound.choices[1], confidence: 85 };
  const { submitPrediction } = await dataOf(service, PREDICT, { key, variables });
  expect(submitPrediction).toEqual({
    ...variables,
    id: expect.any(Number),
    agentName: 'Dora',
    submittedAt: '2026-01-01T12:10:00.000Z',
    score: null,
    isCorrect: null,
    replayed: false,
    agent: { name: 'Dora' },
    round: { id: currentRound.id, status: 'active', totalEntries: 1 },
  });
  const again = await ask(service, PREDICT, { key, variables });
  expect(again.errors[0]?.extensions).toEqual({ code: 'CONFLICT', reason: 'already_predicted' });
});

test('rotateKey replaces the key', async () => {
  const { key } = await registered(service, 'Emil');
  const { rotateKey } = await dataOf(service, 'mutation { rotateKey { apiKey message } }', { key });
  expect(rotateKey).toEqual({ apiKey: expect.stringMatching(KEY), message: expect.stringMatching(/\.$/) });
  expect((await ask(service, '{ me { name } }', { key })).errors[0]?.extensions.code).toBe('UNAUTHENTICATED');
  expect((await dataOf(service, '{ me { name } }', { key: rotateKey.apiKey })).me).toEqual({ name: 'Emil' });
});

test('activate makes a spectator a competitor and returns the next round', async () => {
  const { key } = await registered(service, 'Fritz', 'spectate');
  const { activate } = await dataOf(service, 'mutation { activate { mode message nextRound { id startTime } } }', {
    key,
  });
  const { nextRound } = await dataOf(service, '{ nextRound { id startTime } }');
  expect(activate).toEqual({ mode: 'compete', message: expect.stringContaining('Fritz'), nextRound });
  expect((await dataOf(service, '{ me { mode } }', { key })).me).toEqual({ mode: 'compete' });
});

test('mutations of one document run one after another', async () => {
  const { key } = await registered(service, 'Gina', 'spectate');
  const { data, errors } = await ask(
    service,
    'mutation { activate { mode } rotateKey { apiKey } again: rotateKey { apiKey } }',
    { key },
  );
  expect([data, errors[0]?.path, errors[0]?.extensions.code]).toEqual([null, ['again'], 'UNAUTHENTICATED']);
});

const STAND = `setStanding(rows: [{ questionType: direction, prediction: ["YES"], confidence: 60 }]) { rows { confidence } }`;

test('a mutation sees the caller as the mutations before it have left it', async () => {
  const { key } = await registered(service, 'Hanna', 'spectate');
  const { setStanding } = await dataOf(service, `mutation { activate { mode } ${STAND} }`, { key });
  expect(setStanding).toEqual({ rows: [{ confidence: 60 }] });
  const { errors } = await ask(service, `mutation { rotateKey { apiKey } ${STAND} }`, { key });
  expect(errors).toMatchObject([{ path: ['setStanding'], extensions: { code: 'UNAUTHENTICATED' } }]);
});

const TRY_AND_PREDICT = `mutation ($roundId: Int!, $prediction: String!) {
  tried: submitPrediction(roundId: $roundId, prediction: $prediction, confidence: 60, dryRun: true) { round { totalEntries } }
  made: submitPrediction(roundId: $roundId, prediction: $prediction, confidence: 60) { round { totalEntries } } }`;

test('a mutation returns rows as they are after it', async () => {
  await service.nextHour();
  const { key } = await registered(service, 'Ida');
  const { currentRound } = await dataOf(service, '{ currentRound { id choices } }');
  const variables = { roundId: currentRound.id, prediction: currentRound.choices[0] };
  expect(await dataOf(service, TRY_AND_PREDICT, { key, variables })).toEqual({
    tried: { round: { totalEntries: 0 } },
    made: { round: { totalEntries: 1 } },
  });
});
