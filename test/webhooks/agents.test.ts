import { describe, expect, test } from '@jest/globals';

import { until } from '../support/poll.ts';
import { answering } from './receiver.ts';
import { hooked, sharedSending } from './sending.ts';

const sending = sharedSending();

const agent = (name: string, ...kinds: string[]) =>
  hooked({ service: sending.service, url: sending.receiver.url }, { name, kinds });
const execute = (text: string) => sending.service.newEm().getConnection().execute(text);
const seqsAt = (path: string) => sending.receiver.at(path).map(({ data }) => data['seq']);

describe('silenced agents', () => {
  test.each([
    ['blocked', `block_reason = 'It floods us'`],
    ['released', `mode = 'spectate', reserved_until = '2026-01-01'`],
  ])('an agent that is %s gets no messages, and all missed ones afterwards', async (name, change) => {
    const silenced = await agent(name, 'round.closed');
    const other = await agent(`not-${name}`, 'round.closed');
    await execute(`update agents set ${change} where name = '${name}'`);
    for (let hours = 1; hours <= 2; hours += 1) {
      await sending.service.nextHour();
      await until("the other's message", () => sending.receiver.at(other.path).length === hours);
    }
    expect(sending.receiver.at(silenced.path)).toEqual([]);
    await execute(
      `update agents set block_reason = null, mode = 'compete', reserved_until = null where name = '${name}'`,
    );
    sending.service.nudge();
    await until('what it has missed', () => sending.receiver.at(silenced.path).length === 2);
    expect(seqsAt(silenced.path)).toEqual(seqsAt(other.path));
  });

  test('a blocked agent gets no further message, also from a worker at work', async () => {
    const { path, id } = await agent('in-hand', 'round.closed', 'round.resolved');
    sending.receiver.reply(path, (request, response, received) => {
      void execute(`update agents set block_reason = 'It floods us' where name = 'in-hand'`).then(() =>
        answering(204)(request, response, received),
      );
    });
    await sending.service.nextHour();
    await until('the resolution', async () => {
      const [found] = await execute(`select from events e join webhooks w on w.id = ${id} and w.tries > 0
        where e.seq > w.cursor_seq and kind = 'ROUND_RESOLVED' and w.claimed_until <= now()`);
      return found !== undefined;
    });
    expect(sending.receiver.at(path).map(({ type }) => type)).toEqual(['round.closed']);
    sending.receiver.reply(path, null);
    await execute(`update agents set block_reason = null where name = 'in-hand'`);
    sending.service.nudge();
    await until('the message', () => sending.receiver.at(path).length === 2);
    expect(sending.receiver.at(path)[1]?.type).toBe('round.resolved');
  });
});
