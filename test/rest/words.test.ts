import { describe, expect, test } from '@jest/globals';

import { type Player, predict, register } from '../support/agents.ts';
import { ask, dataOf } from '../support/asking.ts';
import { expectRefusal } from '../support/refusals.ts';
import { currentRound } from '../support/rounds.ts';
import { sharedService } from '../support/shared.ts';

const service = sharedService();

const WIDE = '\u{1f680}';
const SAID = { rationale: 'Funding is negative:\n\tshorts pay.', model: 'small-model 2' };

let players = 0;

async function newPlayer(): Promise<Player> {
  players += 1;
  return register(service, `speaker-${players}`);
}

async function ownOf(player: Player) {
  const { body } = await service.request('GET', '/api/me/predictions', { key: player.key });
  return body.predictions[0];
}

async function entryOf(round: number, player: Player) {
  const { body } = await service.request('GET', `/api/rounds/${round}/entries`);
  return body.entries.find((entry: { agent_id: number }) => entry.agent_id === player.id);
}

describe('rationale and model', () => {
  test('a rationale and a model are stored, and visible to their agent at once', async () => {
    const player = await newPlayer();
    const { status, body } = await predict(service, player, SAID);
    expect([status, body.prediction]).toEqual([201, expect.objectContaining(SAID)]);
    expect(await ownOf(player)).toMatchObject(SAID);
  });

  test('a prediction without rationale and model has the answer of the specification', async () => {
    const player = await newPlayer();
    const { body } = await predict(service, player);
    expect(Object.keys(body.prediction)).toEqual([
      'id',
      'agent_id',
      'round_id',
      'prediction',
      'confidence',
      'submitted_at',
      'submitted_at_iso',
    ]);
    expect(await ownOf(player)).toMatchObject({ rationale: null, model: null });
  });

  test('rationale and model are visible to others once the round is over', async () => {
    const player = await newPlayer();
    const { id } = await currentRound(service);
    await predict(service, player, SAID);
    expect(await entryOf(id, player)).toMatchObject({ prediction: expect.any(String), rationale: null, model: null });
    await service.nextHour();
    expect(await entryOf(id, player)).toMatchObject(SAID);
    const { body } = await service.request('GET', `/api/rounds/${id}/results`);
    expect(body.predictions).toEqual(expect.arrayContaining([expect.objectContaining(SAID)]));
  });

  test('rationale and model are independent, and blank text is none', async () => {
    const [one, other] = [await newPlayer(), await newPlayer()];
    await predict(service, one, { model: ' small ', rationale: ' \n ' });
    expect(await ownOf(one)).toMatchObject({ model: 'small', rationale: null });
    await predict(service, other, { rationale: ' a\r\nb ', model: '' });
    expect(await ownOf(other)).toMatchObject({ model: null, rationale: 'a\nb' });
  });

  test('rationale and model are stored letter for letter', async () => {
    const player = await newPlayer();
    const words = { rationale: `{"a": \\ 'b'} \${x} <b>&amp; $1 ${WIDE} null`, model: `{"x",\\'y'} -- ${WIDE}` };
    expect((await predict(service, player, words)).body.prediction).toMatchObject(words);
    expect(await ownOf(player)).toMatchObject(words);
  });

  test.each([
    ['of any width', WIDE, (body: string) => body],
    [
      'letters where each is escaped',
      'ж',
      (body: string) => body.replaceAll('ж', (letter) => `\\u0${letter.charCodeAt(0).toString(16)}`),
    ],
  ])('rationale and model have at most 2,000 and 80 characters, %s', async (_, character, written) => {
    const player = await newPlayer();
    const { id, choices } = await currentRound(service);
    const words = { rationale: character.repeat(2000), model: character.repeat(80) };
    const body = written(JSON.stringify({ round_id: id, prediction: choices[0], confidence: 60, ...words }));
    expect(Buffer.byteLength(body)).toBeGreaterThan(8_000);
    const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${player.key}` };
    const response = await fetch(`${service.url}/api/predictions`, { method: 'POST', headers, body });
    expect(response.status).toBe(201);
    expect(await ownOf(player)).toMatchObject(words);
  });

  test('invalid rationales and models are refused, each with its name', async () => {
    const player = await newPlayer();
    const long = await predict(service, player, { rationale: WIDE.repeat(2001), model: 'x'.repeat(81) });
    expectRefusal(long, 400, /^rationale must be up to 2000 characters .*; these are 2001 \(got/);
    expect(long.body.errors.map(({ param }: { param: string }) => param)).toEqual(['rationale', 'model']);
    for (const rationale of ['a\u0000b', 'a\u001b[31m', 'a\ud800', '\u0085x', 'a\rb'])
      expectRefusal(await predict(service, player, { rationale }), 400, /^rationale must be/);
    for (const model of ['a\nb', 'a\tb', '\udc00'])
      expectRefusal(await predict(service, player, { model }), 400, /^model/);
    for (const rationale of [5, true, ['a'], { a: 1 }])
      expectRefusal(await predict(service, player, { rationale }), 400, /^rationale must be text/);
    expect((await predict(service, player, { rationale: null, model: null })).status).toBe(201);
  });

  test('a repeated request keeps the first rationale and model', async () => {
    const player = await newPlayer();
    await predict(service, player, { ...SAID, idempotencyKey: 'a' });
    const again = await predict(service, player, { rationale: 'Otherwise', model: 'larger', idempotencyKey: 'a' });
    expect([again.status, again.headers.get('idempotent-replayed')]).toEqual([201, 'true']);
    expect(again.body.prediction).toMatchObject(SAID);
    expect(await ownOf(player)).toMatchObject(SAID);
    expectRefusal(await predict(service, player, { rationale: 'Otherwise' }), 409, /already/);
    expect(await ownOf(player)).toMatchObject(SAID);
  });

  test('a repeated request adds no rationale to a prediction without one', async () => {
    const player = await newPlayer();
    await predict(service, player, { idempotencyKey: 'a' });
    expect((await predict(service, player, { ...SAID, idempotencyKey: 'a' })).body.prediction).not.toHaveProperty(
      'model',
    );
    expect(await ownOf(player)).toMatchObject({ rationale: null, model: null });
  });

  test('a dry run checks rationale and model without storing them', async () => {
    const player = await newPlayer();
    expectRefusal(await predict(service, player, { model: 'x'.repeat(81), dry_run: true }), 400, /^model/);
    const { body } = await predict(service, player, { ...SAID, dry_run: true });
    expect(body).toMatchObject({ dry_run: true, prediction: SAID });
    expect(
      await service.newEm().getConnection().execute('select * from rationales where agent_id = ?', [player.id]),
    ).toEqual([]);
  });

  test('concurrent predictions keep their own model', async () => {
    const crowd = await Promise.all(Array.from({ length: 20 }, newPlayer));
    await Promise.all(
      crowd.map((player, at) => predict(service, player, at % 2 === 0 ? {} : { model: `model ${at}` })),
    );
    const shown = await Promise.all(crowd.map(async (player) => (await ownOf(player)).model));
    expect(shown).toEqual(crowd.map((_player, at) => (at % 2 === 0 ? null : `model ${at}`)));
  });

  test('GraphQL accepts a rationale and a model', async () => {
    const player = await newPlayer();
    const { id, choices } = await currentRound(service);
    const submit = (rationale: string) => ({
      query: `mutation ($rationale: String) { submitPrediction(roundId: ${id}, prediction: "${choices[0]}", confidence: 70,
        rationale: $rationale, model: "m") { rationale model } }`,
      options: { variables: { rationale }, key: player.key },
    });
    const long = submit('x'.repeat(2001));
    const { errors } = await ask(service, long.query, long.options);
    expect(errors.map(({ message }) => message)).toEqual([expect.stringMatching(/^rationale must be up to 2000/)]);
    const { query, options } = submit('<script>alert(1)</script>');
    expect((await dataOf(service, query, options)).submitPrediction).toEqual({
      rationale: '<script>alert(1)</script>',
      model: 'm',
    });
  });
});

function update(player: Pick<Player, 'key'>, body: object) {
  return service.request('PATCH', '/api/me', { key: player.key, body });
}

describe('agent’s own description', () => {
  test('an agent’s description is set, kept if omitted, removed by blank text, and public', async () => {
    const player = await newPlayer();
    const set = await update(player, { about: ' I read order books. ', url: 'HTTPS://Example.com/bot?a=1' });
    const profile = { about: 'I read order books.', url: 'https://example.com/bot?a=1' };
    expect([set.status, set.body]).toEqual([200, { agent: { id: player.id, name: player.name, ...profile } }]);
    for (const path of [`/api/agents/${player.id}`, `/api/agents?name=${player.name}`])
      expect((await service.request('GET', path)).body.agent).toMatchObject(profile);
    expect((await service.request('GET', '/api/me', { key: player.key })).body.agent).toMatchObject(profile);
    expect((await update(player, { about: '' })).body.agent).toMatchObject({ about: null, url: profile.url });
    expect((await update(player, {})).body.agent).toMatchObject({ about: null, url: profile.url });
    const { updateMe } = await dataOf(service, 'mutation { updateMe(url: " ", about: "Again") { about url } }', player);
    expect(updateMe).toEqual({ about: 'Again', url: null });
  });

  test('a description that is too long, has controls or a bad address is refused', async () => {
    const player = await newPlayer();
    expectRefusal(
      await update(player, { about: WIDE.repeat(281) }),
      400,
      /^about must be up to 280 characters.*are 281/,
    );
    expectRefusal(await update(player, { about: 'a\nb' }), 400, /^about/);
    for (const url of [
      'http://example.com',
      'javascript:alert(1)',
      'https://a:b@example.com',
      'https://user@example.com',
      'example.com',
      'https://',
      `https://example.com/${'x'.repeat(200)}`,
      '\ud800',
    ])
      expectRefusal(await update(player, { url }), 400, /^url must be an https address/);
    expectRefusal(await update(player, { about: 5 }), 400, /^about must be text/);
    expectRefusal(await service.request('PATCH', '/api/me', { body: { about: 'x' } }), 401);
    expect((await update(player, { about: WIDE.repeat(280) })).status).toBe(200);
  });

  test('a host with foreign letters is shown in its ASCII form', async () => {
    const player = await newPlayer();
    const { body } = await update(player, { url: 'https://аррӏе.com/' });
    expect(body.agent.url).toMatch(/^https:\/\/xn--/);
  });
});
