import { describe, expect, test } from '@jest/globals';

import { MINUTE } from '../../src/rules/hours.ts';
import { announceUnanswered } from '../../src/webhooks/unanswered.ts';
import { predict, register } from '../support/agents.ts';
import { until } from '../support/poll.ts';
import { answering } from './receiver.ts';
import { hooked, sharedSending } from './sending.ts';

const KINDS = ['round.unanswered', 'round.closed'];

type Sending = ReturnType<typeof sharedSending>;

function agentOf({ service, receiver }: Sending, name: string) {
  return hooked({ service, url: receiver.url }, { name, kinds: KINDS });
}

/** Moves the clock within the running hour, and wakes the workers. */
function toMinute({ service }: Sending, minute: number, ms = 0): void {
  const hour = new Date(service.clock.now());
  hour.setUTCMinutes(0, 0, 0);
  service.clock.set(new Date(hour.getTime() + minute * MINUTE + ms));
  service.nudge();
}

/** The logged events once the running round was looked at now: a worker may do so later. */
async function noticedNow(sent: Sending, lockMs = 0) {
  await announceUnanswered({ ...sent.service, lockMs, bus: sent.bus });
  return noticed(sent);
}

async function noticed({ service }: Sending): Promise<readonly [number, number, { closesAt: string }][]> {
  return service.statements.rows(
    { name: null, text: "select seq, round_id, payload from events where kind = 'ROUND_UNANSWERED' order by seq" },
    [],
  );
}

const sending = sharedSending({}, 2);
const locking = sharedSending({ lockMs: 20 * MINUTE });
const unwanted = sharedSending();

describe('round.unanswered', () => {
  test('an unanswered round is logged once, 15 minutes before its end, for agents without an answer', async () => {
    const silent = await agentOf(sending, 'silent');
    const prompt = await agentOf(sending, 'prompt');
    await predict(sending.service, prompt);
    toMinute(sending, 45, -1);
    expect(await noticedNow(sending)).toEqual([]);
    toMinute(sending, 45);
    const [event] = await noticedNow(sending);
    const [seq, roundId, { closesAt }] = event ?? [0, 0, { closesAt: '' }];
    expect(new Date(closesAt).getTime() - sending.service.clock.now().getTime()).toBe(15 * MINUTE);
    const [first] = await until(
      'the notice',
      () => sending.receiver.at(silent.path).length > 0 && sending.receiver.at(silent.path),
    );
    expect([first?.type, first?.id, first?.data]).toEqual([
      'round.unanswered',
      `evt_${seq}-${silent.id}`,
      { seq, round_id: roundId, closes_at: closesAt, agent_id: silent.agentId, webhook_id: silent.id },
    ]);
    toMinute(sending, 50);
    await sending.service.nextHour();
    await until('the closing', () => sending.receiver.at(prompt.path).length > 0);
    expect(sending.receiver.at(prompt.path).map(({ type }) => type)).toEqual(['round.closed']);
    expect((await noticed(sending)).filter(([, id]) => id === roundId)).toHaveLength(1);
  });

  test('a spectator gets no message about unanswered rounds', async () => {
    const { path, now } = await agentOf(sending, 'looker-on');
    const change = `update agents set mode = 'spectate', reserved_until = '2030-01-01' where name = 'looker-on'`;
    await sending.service.newEm().getConnection().execute(change);
    const before = (await noticed(sending)).length;
    toMinute(sending, 46);
    const [seq] = await until('the event', async () => (await noticed(sending))[before] ?? null);
    await until('its turn', async () => (await now()).cursor >= seq);
    await sending.service.nextHour();
    await until('the closing', () => sending.receiver.at(path).length > 0);
    expect(sending.receiver.at(path).map(({ type }) => type)).toEqual(['round.closed']);
  });

  test('the message is sent again under the same id until the agent has answered', async () => {
    const agent = await agentOf(sending, 'slow-to-answer');
    sending.receiver.reply(agent.path, answering(503));
    const again = () => sending.service.newEm().getConnection().execute('update webhooks set next_try_at = now()');
    toMinute(sending, 46);
    await until('a try', () => sending.receiver.at(agent.path).length === 1);
    await until('its record', async () => (await agent.now()).failing_since !== null);
    await again();
    sending.service.nudge();
    await until('another try', () => sending.receiver.at(agent.path).length === 2);
    await until('its record', async () => (await agent.tries()).length === 2);
    await predict(sending.service, agent);
    sending.receiver.reply(agent.path, null);
    await again();
    await sending.service.nextHour();
    await until('the closing', () => sending.receiver.at(agent.path).at(-1)?.type === 'round.closed');
    const come = sending.receiver.at(agent.path);
    expect(come.map(({ type }) => type)).toEqual(['round.unanswered', 'round.unanswered', 'round.closed']);
    expect(come[0]?.id).toBe(come[1]?.id);
  });
});

describe('rounds with a lock', () => {
  test('the message comes 15 minutes before the lock, and not during it', async () => {
    const { path } = await agentOf(locking, 'earlier');
    toMinute(locking, 25, -1);
    expect(await noticedNow(locking, 20 * MINUTE)).toEqual([]);
    toMinute(locking, 25);
    expect(await noticedNow(locking, 20 * MINUTE)).toHaveLength(1);
    await until('the notice', () => locking.receiver.at(path).length === 1);
    const closesAt = new Date(String(locking.receiver.at(path)[0]?.data['closes_at']));
    expect(closesAt.getTime() - locking.service.clock.now().getTime()).toBe(15 * MINUTE);
    await locking.service.nextHour();
    await until('the closing', () => locking.receiver.at(path).length === 2);
    toMinute(locking, 41);
    await locking.service.nextHour();
    await until('the closing', () => locking.receiver.at(path).length === 3);
    expect(locking.receiver.at(path).map(({ type }) => type)).toEqual([
      'round.unanswered',
      'round.closed',
      'round.closed',
    ]);
  });
});

describe('no subscribed webhook', () => {
  test('the log has no unanswered rounds without an active webhook that subscribes', async () => {
    await register(unwanted.service, 'nobody');
    const { id } = await agentOf(unwanted, 'disabled');
    await unwanted.service.newEm().getConnection().execute(`update webhooks set state = 'disabled' where id = ${id}`);
    toMinute(unwanted, 46);
    const { path } = await hooked(
      { service: unwanted.service, url: unwanted.receiver.url },
      { name: 'other', kinds: ['round.closed'] },
    );
    await unwanted.service.nextHour();
    await until('the closing', () => unwanted.receiver.at(path).length === 1);
    expect(await noticed(unwanted)).toEqual([]);
  });
});
