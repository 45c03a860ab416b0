import { expect, test } from '@jest/globals';

import { HOUR } from '../../src/rules/hours.ts';
import { claimDue } from '../../src/webhooks/claims.ts';
import { until } from '../support/poll.ts';
import { answering, hanging } from './receiver.ts';
import { hooked, openSending } from './sending.ts';

/* Webhooks that take their messages, but slowly, beside one that is quick; one of each is called at a time. */

const SLOW = ['slow-1', 'slow-2', 'slow-3', 'slow-4'];
const KINDS = ['round.closed', 'round.resolved'];
const ONE_EACH = { quick: 1, slow: 1 };

/** A service with such webhooks, none of which is called before it is started. */
async function webhooks() {
  const opened = await openSending();
  const agent = (name: string) => hooked({ service: opened.service, url: opened.receiver.url }, { name, kinds: KINDS });
  const slow: Awaited<ReturnType<typeof agent>>[] = [];
  for (const name of SLOW) slow.push(await agent(name));
  const quick = await agent('quick');
  const execute = (text: string) => opened.service.newEm().getConnection().execute<{ slow: boolean }[]>(text);
  return { ...opened, slow, quick, execute };
}

test('slow webhooks occupy no slot of quick ones', async () => {
  await using stack = new AsyncDisposableStack();
  const { service, receiver, start, stop, quick, execute } = await webhooks();
  stack.defer(stop);
  await execute(`update webhooks set slow = true where id <> ${quick.id}`);
  for (const name of SLOW) receiver.reply(`/${name}`, hanging);
  const delivering = await start({ atOnce: ONE_EACH, slowMs: 60_000, callMs: 60_000 });
  stack.defer(() => delivering.stop());
  for (let hours = 1; hours <= 3; hours += 1) {
    await service.nextHour();
    await until('the messages of the quick one', () => receiver.at(quick.path).length === hours * KINDS.length);
  }
  expect(receiver.received.filter(({ path }) => path !== quick.path)).toHaveLength(1);
});

test('newly slow webhooks precede others once each, and then take turns', async () => {
  await using stack = new AsyncDisposableStack();
  const { service, receiver, start, stop, slow, quick, execute } = await webhooks();
  stack.defer(stop);
  await service.nextHour();
  await service.nextHour();
  // Every answer is slow by this, that of the quick one too, which is last.
  await execute(`update webhooks set next_try_at = now() - (10 - id) * interval '1 minute'`);
  const delivering = await start({ atOnce: ONE_EACH, slowMs: 0 });
  stack.defer(() => delivering.stop());
  const all = [...slow, quick];
  const each = 2 * KINDS.length;
  await until('all messages', () => all.every(({ path }) => receiver.at(path).length === each));
  const before = receiver.received.slice(
    0,
    receiver.received.findIndex(({ path }) => path === quick.path),
  );
  // The first of each by the places of the quick, and meanwhile as many by the one of the slow.
  expect(before.length).toBeLessThanOrEqual(2 * SLOW.length + 2);
  const turns = receiver.received.map(({ path }) => path);
  for (const { path } of all) expect(turns.some((one, at) => one === path && turns[at + 1] === path)).toBe(false);
  await until('their notes', async () => {
    const noted = await execute('select slow from webhooks');
    return noted.every((one) => one.slow);
  });
});

test('a webhook that refuses at once waits among the slow ones', async () => {
  await using stack = new AsyncDisposableStack();
  const { service, receiver, start, stop, quick, execute } = await webhooks();
  stack.defer(stop);
  receiver.reply(quick.path, answering(500));
  const delivering = await start({ slowMs: 60_000 });
  stack.defer(() => delivering.stop());
  await service.nextHour();
  const noted = `select slow from webhooks where failures > 0`;
  await until('its refusal', async () => (await execute(noted)).length > 0);
  expect(await execute(noted)).toEqual([{ slow: true }]);
});

test('a webhook is claimed once an event follows its cursor, by one worker, and not while its agent is blocked', async () => {
  await using stack = new AsyncDisposableStack();
  const { service, stop, slow, quick, execute } = await webhooks();
  stack.defer(stop);
  const claim = async () => {
    const claims = await claimDue(service.newEm(), {
      now: service.clock.now(),
      slow: false,
      limit: 9,
      leaseMs: 60_000,
    });
    return claims.map(({ id }) => id).toSorted((one, other) => one - other);
  };
  await execute('update webhooks set cursor_seq = (select max(seq) from events)');
  expect(await claim()).toEqual([]);
  await service.nextHour();
  await execute(`update agents set block_reason = 'abuse' where id = ${quick.agentId}`);
  expect(await claim()).toEqual(slow.map(({ id }) => id));
  expect(await claim()).toEqual([]);
});

test.each([
  { state: 'the service key cannot be read', begin: 'sealed = true', end: 'sealed = false' },
  { state: 'no key signs', begin: `retired_at = now() - interval '2 days'`, end: 'retired_at = null' },
])('webhooks get no message and are not claimed for long while $state', async ({ begin, end }) => {
  await using stack = new AsyncDisposableStack();
  const { service, receiver, start, stop, quick, execute } = await webhooks();
  stack.defer(stop);
  const delivering = await start({ leaseMs: HOUR });
  stack.defer(() => delivering.stop());
  await execute(`update service_keys set ${begin}`);
  await quick.ask('POST', `/${quick.id}/test`);
  await until('a fault', () => service.reported.length > 0);
  expect(service.reported[0]).toMatchObject({ name: 'StartError' });
  expect(receiver.received).toEqual([]);
  await execute(`update service_keys set ${end}`);
  await until('the message', () => receiver.at(quick.path).length === 1, 20_000);
});
