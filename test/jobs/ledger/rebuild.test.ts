import { expect, test } from '@jest/globals';

import { appendEvents } from '../../../src/feed/event-log.ts';
import { rebuildLedger } from '../../../src/jobs/ledger/rebuild.ts';
import { lockUntilCommit } from '../../../src/entities/advisory-locks.ts';
import { only } from '../../support/arena.ts';
import { untilItBlocks } from '../../support/poll.ts';
import { sharedArena } from '../../support/shared.ts';

const arena = sharedArena(1);

// An amendment (jobs/amend-round.ts) takes both locks in this order.
test('a rebuild waits for a decision without the lock that an amendment takes next', async () => {
  await arena.query('update platform set sums_due = true');
  const rebuilt = await arena.newEm().transactional(async (amendment) => {
    await lockUntilCommit(amendment, 'resolutions');
    const running = rebuildLedger(arena.newEm, () => {});
    await untilItBlocks(amendment);
    await lockUntilCommit(amendment, 'counting');
    return { running };
  });
  await rebuilt.running;
  expect(await only(arena, 'select sums_due from platform')).toEqual({ sums_due: false });
});

test('events are appended while a rebuild runs', async () => {
  await arena.query('update platform set sums_due = true');
  const rebuilt = await arena.newEm().transactional(async (reader) => {
    await reader.execute('lock table standings in share mode');
    const running = rebuildLedger(arena.newEm, () => {});
    await untilItBlocks(reader);
    await arena.newEm().transactional(async (writer) => {
      await writer.execute(`set local lock_timeout = '1s'`);
      await appendEvents(writer, new Date(0), [{ kind: 'ROUND_CLOSED', roundId: null, payload: {} }]);
    });
    return { running };
  });
  await rebuilt.running;
  expect(await only(arena, 'select last_seq > 0 as appended, sums_due from platform')).toEqual({
    appended: true,
    sums_due: false,
  });
});
