import { expect, test } from '@jest/globals';

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
