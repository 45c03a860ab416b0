import { randomBytes } from 'node:crypto';

import { expect, test } from '@jest/globals';

import { MINUTE } from '../../src/rules/hours.ts';
import { recordTries } from '../../src/webhooks/claims.ts';
import { deliver } from '../../src/webhooks/sending.ts';
import { act, TOKEN } from '../operating/admin.ts';
import { predict } from '../support/agents.ts';
import { playBets } from '../support/outcomes.ts';
import { until } from '../support/poll.ts';
import { answering } from './receiver.ts';
import { hooked, sharedSending } from './sending.ts';

const sending = sharedSending({ adminToken: TOKEN });

const agent = (name: string, ...kinds: string[]) =>
  hooked({ service: sending.service, url: sending.receiver.url }, { name, kinds });
const execute = <Row extends object>(text: string) => sending.service.newEm().getConnection().execute<Row[]>(text);

test('a cursor before the oldest event gets a message with the range, with one id in each try, and continues after it', async () => {
  const busy = await agent('busy', 'round.closed');
  const quiet = await agent('quiet', 'round.void');
  const { cursor } = await busy.now();
  await execute(`update webhooks set state = 'gone'`);
  await sending.service.nextHour();
  await sending.service.nextHour();
  const closed = await execute<{ seq: number; at: string }>(
    `select seq, at from events where kind = 'ROUND_CLOSED' order by seq`,
  );
  const [first = 0, at] = [closed.at(-1)?.seq, closed.at(-1)?.at];
  await execute(`delete from events where seq < ${first}`);
  sending.receiver.reply(quiet.path, answering(503));
  await execute(`update webhooks set state = 'active', cursor_seq = ${cursor}`);
  sending.service.nudge();
  await until('the event behind', () => sending.receiver.at(busy.path).length === 2);
  await until('the notice', () => sending.receiver.at(quiet.path).length === 1);
  for (const { path, id, agentId } of [busy, quiet]) {
    const [lost] = sending.receiver.at(path);
    expect(lost?.id).toBe(`evt_lost${cursor}-${id}`);
    expect(JSON.parse(lost?.body ?? '')).toEqual({
      type: 'events.lost',
      timestamp: new Date(at ?? '').toISOString(),
      data: { seq: first - 1, round_id: null, after: cursor, first_kept: first, agent_id: agentId, webhook_id: id },
    });
  }
  expect(sending.receiver.at(busy.path)[1]?.data).toMatchObject({ seq: first });
  await until('a failure', async () => (await quiet.now()).failing_since !== null);
  sending.receiver.reply(quiet.path, null);
  await execute(`delete from events where seq <= ${first}`);
  await execute(`update webhooks set next_try_at = now()`);
  sending.service.nudge();
  await until('the end of the log', async () => (await quiet.now()).cursor > first);
  const tries = sending.receiver.at(quiet.path).map(({ id, data }) => [id, data['first_kept']]);
  expect(tries).toEqual([first, first + 1].map((kept) => [`evt_lost${cursor}-${quiet.id}`, kept]));
});

test('a failed message is dropped once it is outdated', async () => {
  const { path, id, key, now } = await agent('passed-over', 'round.unanswered');
  sending.receiver.reply(path, answering(503));
  sending.service.clock.set(new Date(sending.service.clock.now().getTime() + 40 * MINUTE));
  sending.service.nudge();
  await until('the failure', async () => (await now()).failing_since !== null);
  await predict(sending.service, { key });
  await execute(`update webhooks set next_try_at = now() where id = ${id}`);
  sending.service.nudge();
  await until('its end', async () => (await now()).failing_since === null);
  expect(await execute(`select failures from webhooks where id = ${id}`)).toEqual([{ failures: 0 }]);
  expect(sending.receiver.at(path)).toHaveLength(1);
});

test('an amendment comes with the agent’s new result, and the resolution’s message stays', async () => {
  const { path, id, agentId, key, ask } = await agent('amended', 'round.resolved', 'round.amended');
  const round = await playBets(sending.service, [
    { player: { id: agentId, name: 'amended', key }, right: true, confidence: 80 },
  ]);
  await sending.service.nextHour();
  const [right] = await until(
    'the resolution',
    () => sending.receiver.at(path).length === 1 && sending.receiver.at(path),
  );
  expect(right?.data).toMatchObject({ is_correct: true });
  const amend = (outcome: string | undefined) =>
    act(sending.service, 'amend', round.id, 'They have corrected it', { outcome });
  await amend(round.choices[1]);
  await until('the amendment', () => sending.receiver.at(path).length === 2);
  expect(sending.receiver.at(path)[1]?.data).toMatchObject({
    outcome: round.choices[1],
    score: -40,
    is_correct: false,
  });
  await ask('POST', `/${id}/replay?after=${Number(right?.data['seq']) - 1}`);
  await until('both again', () => sending.receiver.at(path).length === 4);
  const [one, other, ...again] = sending.receiver.at(path).map(({ body }) => body);
  expect(again).toEqual([one, other]);
});

function claimedOf({ id, agentId }: { readonly id: number; readonly agentId: number }) {
  const reader = { id, agentId, kinds: [], cursor: 0 };
  return { ...reader, claim: 0, failures: 0, failingMs: 0, testsAsked: 1, testsSent: 0, isDue: true, slow: false };
}

test('a test message after a lost lease is the last one', async () => {
  const one = await agent('taken-away', 'round.void');
  const { service, bus, receiver } = sending;
  const cursors: unknown[] = [];
  const deps = {
    clock: service.clock,
    bus,
    randomBytes,
    reach: 'any' as const,
    signal: new AbortController().signal,
    record: async () => false,
    next: async (reader: unknown) => ({ last: cursors.push(reader), message: null }),
    giveBack: async (claimed: unknown) => void cursors.push(claimed),
  };
  await deliver(deps, { ...claimedOf(one), url: receiver.url + one.path }, []);
  expect(receiver.at(one.path).map(({ type }) => type)).toEqual(['webhook.test']);
  expect(cursors).toEqual([]);
});

test('a webhook stays claimed for its lease after a test message', async () => {
  const one = await agent('leased', 'round.void');
  const called = { at: new Date(), durationMs: 1, slow: false, status: 204, retryAfter: undefined, error: null };
  const message = { id: 'evt_test1-1', type: 'webhook.test', body: '', seq: null };
  const made = { ...called, claimed: { ...claimedOf(one), url: '' }, message, became: { outcome: 'tested' } as const };
  await recordTries(sending.service.newEm(), [made], 60 * MINUTE);
  expect(
    await execute(`select claimed_until > now() + interval '59 minutes' as leased from webhooks where id = ${one.id}`),
  ).toEqual([{ leased: true }]);
});
