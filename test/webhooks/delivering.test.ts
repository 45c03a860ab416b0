import { describe, expect, test } from '@jest/globals';

import { withDeadline } from '../../src/deadline.ts';
import { appendEvents, eventsAfter } from '../../src/feed/event-log.ts';
import { HOUR } from '../../src/rules/hours.ts';
import { recordTries, type Try } from '../../src/webhooks/claims.ts';
import { predict } from '../support/agents.ts';
import { until } from '../support/poll.ts';
import { currentRound } from '../support/rounds.ts';
import type { TestService } from '../support/service.ts';
import { answering } from './receiver.ts';
import { hooked, sharedSending } from './sending.ts';

const sending = sharedSending();

const agent = (name: string, ...kinds: string[]) =>
  hooked({ service: sending.service, url: sending.receiver.url }, { name, kinds });

async function logged(kinds: readonly string[], after: number) {
  return sending.service.statements.rows<[number, string, number | null]>(
    { name: null, text: 'select seq, kind, round_id from events where kind = any($1) and seq > $2 order by seq' },
    [kinds, after],
  );
}

/** The log behind `after`, as everybody reads it. */
async function eventsRead({ newEm }: TestService, after: number) {
  return eventsAfter(newEm(), after, 1_000);
}

test('a webhook gets its kinds’ events after its cursor, in order, with the seq as id', async () => {
  const { path, id, now } = await agent('in-order', 'round.opened', 'round.closed', 'round.resolved');
  const { cursor } = await now();
  for (let hours = 0; hours < 3; hours += 1) {
    await sending.service.nextHour();
    await until('the three events of an hour', () => sending.receiver.at(path).length === 3 * (hours + 1));
  }
  const events = await logged(['ROUND_OPENED', 'ROUND_CLOSED', 'ROUND_RESOLVED'], cursor);
  const found = sending.receiver.at(path).map((one) => [one.id, one.type, one.data['round_id'], one.data['seq']]);
  expect(found).toEqual(
    events.map(([seq, kind, roundId]) => [`evt_${seq}-${id}`, kind.toLowerCase().replace('_', '.'), roundId, seq]),
  );
  await until('the cursor at the end of the log', async () => (await now()).cursor >= (events.at(-1)?.[0] ?? 0));
});

test('a resolved round comes with the agent’s own result, in the names of REST', async () => {
  const answered = await agent('answered', 'round.resolved');
  const silent = await agent('silent', 'round.resolved');
  await predict(sending.service, answered, { confidence: 70 });
  const { id: roundId, question, choices } = await currentRound(sending.service);
  await sending.service.nextHour();
  const [one] = await until('both messages', () => {
    const [mine, other] = [answered, silent].map(({ path }) => sending.receiver.at(path)[0]);
    return mine !== undefined && other !== undefined && [mine, other];
  });
  expect(JSON.parse(one?.body ?? '')).toEqual({
    type: 'round.resolved',
    timestamp: expect.stringMatching(/^2026-01-\d\dT\d\d:10:00\.000Z$/),
    data: {
      seq: expect.any(Number),
      round_id: roundId,
      outcome: expect.any(String),
      resolution_value: expect.any(Number),
      total_entries: 1,
      checkpoint: expect.stringMatching(/^hourcast\.log\/[\s\S]+\n\n\u2014 /),
      question,
      prediction: choices[0],
      confidence: 70,
      standing: false,
      score: expect.any(Number),
      is_correct: expect.any(Boolean),
      agent_id: answered.agentId,
      webhook_id: answered.id,
    },
  });
  expect(sending.receiver.at(silent.path)[0]?.data).toMatchObject({
    question,
    prediction: null,
    confidence: null,
    standing: null,
    score: null,
    is_correct: null,
    agent_id: silent.agentId,
    webhook_id: silent.id,
  });
});

describe('private events', () => {
  test('the end of a webhook is sent to the agent’s other webhooks only', async () => {
    const ended = await agent('ended', 'round.closed');
    const { body } = await ended.ask('POST', '', {
      url: `${sending.receiver.url}/ended-too`,
      kinds: ['webhook.disabled'],
    });
    const other = await agent('not-ended', 'webhook.disabled', 'round.opened');
    const [[before] = [0]] = await logged(['ROUND_OPENED'], 0).then((rows) => rows.slice(-1));
    sending.receiver.reply(ended.path, answering(410));
    await sending.service.nextHour();
    const found = await until('the notice', () => sending.receiver.at('/ended-too')[0] ?? false);
    expect(found.type).toBe('webhook.disabled');
    expect(found.data).toEqual({
      seq: expect.any(Number),
      round_id: null,
      disabled_webhook_id: ended.id,
      state: 'gone',
      agent_id: ended.agentId,
      webhook_id: body.webhook.id,
    });
    await sending.service.nextHour();
    await until('a later event', () => sending.receiver.at(other.path).length >= 2);
    expect(sending.receiver.at(other.path).map(({ type }) => type)).not.toContain('webhook.disabled');
    const log = await eventsRead(sending.service, before);
    expect(log.map(({ seq }) => seq)).toEqual(log.map((_, place) => before + 1 + place));
    expect(log.filter(({ kind }) => kind === 'WEBHOOK_DISABLED')).toEqual([
      expect.objectContaining({ seq: found.data['seq'], roundId: null, payload: {} }),
    ]);
  });

  test('tier changes and lapsed standing predictions are sent only to their agent', async () => {
    const [mine, other] = [
      await agent('mine', 'tier.changed', 'standing.lapsed'),
      await agent('others', 'tier.changed', 'standing.lapsed', 'round.opened'),
    ];
    const { agentId } = mine;
    await appendEvents(sending.service.newEm(), new Date(), [
      { kind: 'TIER_CHANGED', roundId: 1, payload: { agentId, agentName: 'mine', from: 'bronze', to: 'silver' } },
      { kind: 'STANDING_LAPSED', roundId: null, payload: { agentId, agentName: 'mine' } },
    ]);
    await sending.service.nextHour();
    await until('the event after them', () => sending.receiver.at(other.path).length >= 1);
    expect(sending.receiver.at(other.path).map(({ type }) => type)).toEqual(['round.opened']);
    const own = await until('both', () => {
      const come = sending.receiver.at(mine.path);
      return come.length === 2 && come;
    });
    expect(own.map(({ type, data }) => [type, data['agent_id'], data['webhook_id']])).toEqual([
      ['tier.changed', agentId, mine.id],
      ['standing.lapsed', agentId, mine.id],
    ]);
  });
});

describe('failures', () => {
  test('a failed message is sent again under the same id, and later ones wait', async () => {
    const { path, now, tries } = await agent('retried', 'round.closed', 'round.resolved');
    sending.receiver.reply(path, answering(500));
    await sending.service.nextHour();
    await until('a failure', async () => (await now()).failing_since !== null);
    sending.receiver.reply(path, null);
    await sending.service.newEm().getConnection().execute('update webhooks set next_try_at = now()');
    await until('both', () => sending.receiver.at(path).length === 3);
    const ids = sending.receiver.at(path).map(({ id }) => id);
    expect(ids[0]).toBe(ids[1]);
    expect(sending.receiver.at(path).map(({ type }) => type)).toEqual([
      'round.closed',
      'round.closed',
      'round.resolved',
    ]);
    await until('the success', async () => (await now()).failing_since === null);
    await until('the note of the last one', async () => (await tries()).length === 3);
    expect(await tries()).toMatchObject([
      { number: 3, type: 'round.resolved', status: 204, error: null },
      { number: 2, type: 'round.closed', status: 204, error: null, message_id: ids[0] },
      { number: 1, status: 500, error: 'The endpoint must answer with a 2xx status.', message_id: ids[0] },
    ]);
  });

  test.each([
    ['a redirect, which is not followed', answering(302, { location: '/elsewhere' }), 302],
    ['a broken connection', (_request: unknown, response: { destroy(): void }) => response.destroy(), null],
  ])('a failure is %s', async (_what, reply, status) => {
    const { path, tries } = await agent(`fails-${String(status)}`, 'round.closed');
    sending.receiver.reply(path, reply);
    await sending.service.nextHour();
    const [found] = await until('a try', async () => ((await tries()).length > 0 ? tries() : false));
    expect(found).toMatchObject({ status, error: expect.any(String) });
    expect(sending.receiver.at('/elsewhere')).toEqual([]);
  });

  test('a 410 ends the webhook, with a state in the profile, until a replay', async () => {
    const { path, id, key, now, ask } = await agent('gone', 'round.closed');
    sending.receiver.reply(path, answering(410));
    await sending.service.nextHour();
    await until('the end', async () => (await now()).state === 'gone');
    const { body } = await sending.service.request('GET', '/api/me', { key });
    expect(body.agent.webhooks).toMatchObject([{ id, state: 'gone' }]);
    sending.receiver.reply(path, null);
    const seq = sending.receiver.at(path)[0]?.data['seq'];
    await ask('POST', `/${id}/replay?after=${Number(seq) - 1}`);
    await until('the message again', () => sending.receiver.at(path).length === 2);
    expect(await now()).toMatchObject({ state: 'active', failing_since: null });
  });

  test('three days of failures disable the webhook', async () => {
    const { path, id, now } = await agent('disabled', 'round.closed');
    sending.receiver.reply(path, answering(500));
    await sending.service.nextHour();
    await until('a failure', async () => (await now()).failing_since !== null);
    const connection = sending.service.newEm().getConnection();
    await connection.execute(
      `update webhooks set failing_since = now() - interval '72 hours', next_try_at = now() where id = ${id}`,
    );
    await until('the end', async () => (await now()).state === 'disabled');
  });

  test('a failure after a success counts as the first one', async () => {
    const { path, id, now, tries } = await agent('recovered', 'round.closed', 'round.resolved');
    sending.receiver.reply(path, answering(500));
    await sending.service.nextHour();
    await until('a failure', async () => (await now()).failing_since !== null);
    sending.receiver.reply(path, (request, response, received) =>
      answering(received.type === 'round.closed' ? 204 : 500)(request, response, received),
    );
    const connection = sending.service.newEm().getConnection();
    await connection.execute(
      `update webhooks set failing_since = now() - interval '72 hours', failures = 8, next_try_at = now() where id = ${id}`,
    );
    await until('the failure behind a success', async () => (await tries()).length === 3);
    const rows = await sending.service.statements.rows(
      {
        name: null,
        text: "select state, failures, next_try_at < now() + interval '1 minute' from webhooks where id = $1",
      },
      [id],
    );
    expect(rows).toEqual([['active', 1, true]]);
  });
});

test('a test message comes at once and once, also to a webhook without other messages', async () => {
  const { path, id, agentId, ask, tries, now } = await agent('tested', 'round.closed');
  const connection = sending.service.newEm().getConnection();
  await connection.execute(`update webhooks set state = 'gone' where id = ${id}`);
  await sending.service.nextHour();
  await ask('POST', `/${id}/test`);
  const [found] = await until('a try', async () => ((await tries()).length > 0 ? tries() : false));
  expect(found).toMatchObject({ message_id: `evt_test1-${id}`, type: 'webhook.test', status: 204, error: null });
  expect(JSON.parse(sending.receiver.at(path)[0]?.body ?? '')).toEqual({
    type: 'webhook.test',
    timestamp: expect.any(String),
    data: { agent_id: agentId, webhook_id: id },
  });
  // Events that it missed stay behind.
  const free = `select from webhooks where id = ${id} and claimed_until <= now()`;
  await until('its release', async () => (await connection.execute(free)).length === 1);
  expect(sending.receiver.at(path)).toHaveLength(1);
  expect(await now()).toMatchObject({ state: 'gone' });
});

test('deliveries do not end with the deadline of the request that triggered them', async () => {
  const { path, id, ask } = await agent('woken', 'round.closed');
  withDeadline(0, () => sending.bus.publish('webhooks'));
  await ask('POST', `/${id}/test`);
  await until('the message', () => sending.receiver.at(path).length === 1);
  expect(sending.service.reported).toEqual([]);
});

test('the later claim counts when two workers record an attempt concurrently', async () => {
  const { id, agentId, tries } = await agent('replayed', 'round.void');
  const reader = { id, agentId, kinds: [], cursor: 0 };
  const claimed = {
    ...reader,
    url: '',
    failures: 0,
    failingMs: 0,
    testsAsked: 0,
    testsSent: 0,
    isDue: true,
    slow: false,
  };
  const called = { at: new Date(), durationMs: 1, slow: false, status: 204, retryAfter: undefined, error: null };
  const made = (claim: number): Try => ({
    ...called,
    claimed: { ...claimed, claim },
    message: { id: `evt_${claim}-${id}`, type: 'round.void', body: '', seq: 1 },
    became: { outcome: 'taken' },
  });
  const [earlier, later] = [made(-1), made(0)];
  const ours = await recordTries(sending.service.newEm(), [earlier, later], 0);
  expect([earlier, later].map((one) => ours.has(one))).toEqual([false, true]);
  expect(await tries()).toMatchObject([{ number: 1, message_id: `evt_0-${id}` }]);
  expect(await recordTries(sending.service.newEm(), [earlier], 0)).toEqual(new Set());
  const counted = { name: null, text: `select tries from webhooks where id = ${id}` };
  expect(await sending.service.statements.rows(counted, [])).toEqual([[1]]);
});

test('the last twenty attempts are kept', async () => {
  const { id, ask, tries } = await agent('many-tries', 'round.closed');
  for (let attempts = 1; attempts <= 23; attempts += 1) {
    await ask('POST', `/${id}/test`);
    await until('the try', async () => (await tries())[0]?.number === attempts);
  }
  const numbers = (await tries()).map(({ number }: { number: number }) => number);
  expect(numbers).toEqual(Array.from({ length: 20 }, (_, at) => 23 - at));
});

test('a failure just after a success is a first failure, however long it failed before', async () => {
  const { path, id, tries } = await agent('failing-again', 'round.opened', 'round.closed');
  const ask = (text: string) => sending.service.newEm().getConnection().execute<object[]>(text);
  sending.receiver.reply(path, answering(503));
  await sending.service.nextHour();
  await until('a failure', async () => (await tries()).length === 1);
  let calls = 0;
  sending.receiver.reply(path, (...given) => answering((calls += 1) === 1 ? 204 : 503)(...given));
  // As after a test message that was taken.
  await ask(
    `update webhooks set slow = false, failures = 9, failing_since = now() - interval '90 days', next_try_at = now() where id = ${id}`,
  );
  sending.service.nudge();
  await until('a success and a failure', async () => (await tries()).length === 3);
  const found = await ask(
    `select state, failures, failing_since > now() - interval '1 day' as is_new, next_try_at < now() + interval '10 minutes' as is_soon
      from webhooks where id = ${id}`,
  );
  expect(found).toEqual([{ state: 'active', failures: 1, is_new: true, is_soon: true }]);
});

test('failing_since is the time of the first failure in a row', async () => {
  const { path, id, now, tries } = await agent('since', 'round.opened');
  sending.receiver.reply(path, answering(503));
  await sending.service.nextHour();
  await until('a failure', async () => (await tries()).length === 1);
  const { failing_since: first } = await now();
  expect(first).toEqual(expect.any(String));
  await sending.service
    .newEm()
    .getConnection()
    .execute(
      `update webhooks set next_try_at = now(), failing_since = failing_since - interval '1 hour' where id = ${id}`,
    );
  sending.service.nudge();
  await until('another failure', async () => (await tries()).length === 2);
  const { failing_since: second } = await now();
  expect(new Date(first).getTime() - new Date(second).getTime()).toBe(HOUR);
});
