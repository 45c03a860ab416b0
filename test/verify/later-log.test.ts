import { join } from 'node:path';

import { expect, test } from '@jest/globals';

import { checkLog } from '../../src/verify/log/log-check.ts';
import { act, TOKEN } from '../operating/admin.ts';
import { scopedFolder } from '../support/own-folder.ts';
import type { TestService } from '../support/service.ts';
import { sharedField } from '../support/shared.ts';

/** Three rounds are decided and one runs before the log begins, as by a version without a log; two are decided after. */
const field = sharedField({ agents: 4, keeping: { bytes: 0 }, adminToken: TOKEN }, async (played) => {
  const { service } = played;
  await played.play(3);
  await asOwner(service, [
    'delete from log_records',
    'delete from log_tiles',
    'update log_state set size = 0, logged_epoch = 0, note = null, at = null',
  ]);
  await played.play(3);
  for (const round of [2, 3]) {
    const outcome = 'void';
    expect(await act(service, 'amend', round, 'It was wrong', { outcome })).toMatchObject({ status: 200 });
  }
});

/** Runs statements without triggers. */
async function asOwner(service: TestService, statements: readonly string[]): Promise<void> {
  await service.newEm().transactional(async (transaction) => {
    await transaction.execute('set local session_replication_role = replica');
    for (const statement of statements) await transaction.execute(statement);
  });
}

async function checked() {
  await using folder = await scopedFolder();
  const file = join(folder.path, 'seen.json');
  const { alarms, differences, notes } = await checkLog(field.service.url, file, { print: () => {} });
  return { alarms, differences, notes };
}

test('rounds that were decided before the log began are older than it, also with amendments in it', async () => {
  const notes = [expect.stringMatching(/^\d+ rounds and boards are older than the log\.$/)];
  expect(await checked()).toEqual({ alarms: [], differences: [], notes });
});

const moved = (sign: string) =>
  `update amendments set amended_at = amended_at ${sign} interval '1 s' where round_id = 2`;

test('an amendment of an older round is compared with its record', async () => {
  await asOwner(field.service, [moved('+')]);
  const { differences } = await checked().finally(() => asOwner(field.service, [moved('-')]));
  expect(differences.map(({ place }) => place)).toContain('round 2, as amended');
});

/** The last test: it removes records for good. */
test('a round that was closed after the log began is not older', async () => {
  const [last] = await field.service
    .newEm()
    .execute<{ id: number }[]>(`select max(round_id) as id from log_records where kind = 'decided'`);
  await asOwner(field.service, [`delete from log_records where round_id = ${last?.id}`]);
  const { alarms } = await checked();
  expect(alarms).toContain(`round ${last?.id}: the log does not have it.`);
});
