import { describe, expect, test } from '@jest/globals';

import { appendEvents } from '../../src/feed/event-log.ts';
import { MINUTE } from '../../src/rules/hours.ts';
import { nextMessages } from '../../src/webhooks/messages.ts';
import { act, TOKEN } from '../operating/admin.ts';
import { register } from '../support/agents.ts';
import { currentRound, startOf } from '../support/rounds.ts';
import { sharedService } from '../support/shared.ts';

/* The next message of a webhook at a moment, also where no worker has closed the round yet. */

const service = sharedService(() => ({ adminToken: TOKEN }));
const execute = <Row extends object>(text: string) => service.newEm().getConnection().execute<Row[]>(text);

/** An event of a new round, and its message for an agent at a minute of the hour. */
async function eventFor(name: string, kind: 'ROUND_OPENED' | 'ROUND_UNANSWERED') {
  const { id: agentId } = await register(service, name);
  await service.nextHour();
  const round = await currentRound(service);
  const event = { kind, roundId: round.id, payload: {} };
  await service.newEm().transactional((em) => appendEvents(em, service.clock.now(), [event]));
  const [{ seq } = { seq: 0 }] = await execute<{ seq: number }>('select max(seq) as seq from events');
  const next = async (minute: number, lockMs = 0) => {
    const now = new Date(startOf(round).getTime() + minute * MINUTE);
    const reader = { id: 1, agentId, kinds: [kind], cursor: seq - 1 };
    const [found] = await nextMessages(service.newEm(), [reader], { now, lockMs });
    return { type: found?.message?.type, passed: (found?.last ?? 0) - reader.cursor };
  };
  return { round, next };
}

const SKIPPED = { type: undefined, passed: 1 };

describe('outdated events', () => {
  test('an opening is skipped from the end of its hour, also while the round waits to be closed', async () => {
    const { next } = await eventFor('opened', 'ROUND_OPENED');
    expect(await next(59)).toMatchObject({ type: 'round.opened' });
    expect(await next(60)).toEqual(SKIPPED);
  });

  test('an unanswered round is skipped from its lock on', async () => {
    const { next } = await eventFor('unanswered', 'ROUND_UNANSWERED');
    expect(await next(49, 10 * MINUTE)).toMatchObject({ type: 'round.unanswered' });
    expect(await next(50, 10 * MINUTE)).toEqual(SKIPPED);
  });

  test.each(['ROUND_OPENED', 'ROUND_UNANSWERED'] as const)(
    '%s is skipped once an operator has voided the round',
    async (kind) => {
      const { round, next } = await eventFor(`voided-${kind}`, kind);
      const { status } = await act(service, 'void', round.id, 'Its question is wrong');
      expect(status).toBe(200);
      expect((await next(30)).type).toBeUndefined();
    },
  );
});

test('the cursor of a webhook stays while its agent is blocked', async () => {
  const { next } = await eventFor('blocked', 'ROUND_OPENED');
  await execute(`update agents set block_reason = 'It floods us' where name = 'blocked'`);
  expect(await next(30)).toEqual({ type: undefined, passed: 0 });
  await execute(`update agents set block_reason = null where name = 'blocked'`);
  expect(await next(30)).toMatchObject({ type: 'round.opened' });
});
