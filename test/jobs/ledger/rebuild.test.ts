import { expect, test } from '@jest/globals';

import { rebuildLedger } from '../../../src/jobs/ledger/rebuild.ts';
import { lockCounting, lockResolutions } from '../../../src/jobs/ledger/locks.ts';
import { only } from '../../support/arena.ts';
import { untilItBlocks } from '../../support/poll.ts';
import { sharedArena } from '../../support/shared.ts';

const arena = sharedArena(1);

// An amendment (jobs/amend-round.ts) takes both locks in this order.
test('a rebuild waits for a decision without the lock that an amendment takes next', async () => {
  await arena.query('update platform set sums_due = true');
  const rebuilt = await arena.newEm().transactional(async (amendment) => {
    await lockResolutions(amendment);
    const running = rebuildLedger(arena.newEm, () => {});
    await untilItBlocks(amendment);
    await lockCounting(amendment);
    return { running };
  });
  await rebuilt.running;
  expect(await only(arena, 'select sums_due from platform')).toEqual({ sums_due: false });
});
