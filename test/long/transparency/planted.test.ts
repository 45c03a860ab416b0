import { beforeAll, expect, test } from '@jest/globals';
import { copyFile } from 'node:fs/promises';
import { join } from 'node:path';

import { checkLog } from '../../../src/verify/log/log-check.ts';
import { ownFolder } from '../../support/own-folder.ts';
import { MANIPULATIONS, rewriteFrom } from '../../verify/planted-log.ts';
import { withPlanted } from '../../verify/planting.ts';
import { playedService } from '../../verify/played-service.ts';

const field = playedService();
const folder = ownFolder();
/** The checkpoint that a checker saw before. */
const SEEN = join(folder, 'seen.json');

const ROUNDS_EACH = 6;
const REWRITTEN_FROM = [1, 9, 20, 41];
/** The tables that are put back. */
const REWRITTEN = ['predictions', 'log_records', 'log_tiles', 'log_state'];

async function alarmsOf(file: string): Promise<readonly string[]> {
  const { alarms, differences } = await checkLog(field.service.url, file, { print: () => {}, wait: async () => {} });
  return [...alarms, ...differences.map(({ place, name }) => `${place}: ${name}`)];
}

/** Resolved rounds with predictions of some agents, but not of all. */
async function roundsOf(): Promise<readonly number[]> {
  const found = await field.service.newEm().execute<{ id: number }[]>(
    `select r.id from rounds r join predictions p on p.round_id = r.id where r.status = 'resolved'
      group by r.id having count(*) between 2 and 6 order by r.id`,
  );
  return found.map(({ id }) => id);
}

let alarmsBefore: readonly string[];
beforeAll(async () => {
  alarmsBefore = await alarmsOf(SEEN);
});

test('the log of a played service raises no alarm', async () => {
  expect(alarmsBefore).toEqual([]);
  expect(await alarmsOf(SEEN)).toEqual([]);
});

test.each(MANIPULATIONS)(`the log reveals who would $name, in ${ROUNDS_EACH} rounds`, async ({ name, statements }) => {
  const rounds = await roundsOf();
  const chosen = Array.from(
    { length: ROUNDS_EACH },
    (_, at) => rounds[Math.floor((at * rounds.length) / ROUNDS_EACH)] ?? 0,
  );
  for (const round of chosen) {
    const file = join(folder, 'fresh.json');
    await withPlanted(field.service.newEm, { statements: statements(round) }, async () => {
      const found = await alarmsOf(file);
      expect({ name, round, found: found.length > 0 }).toEqual({ name, round, found: true });
      const isOfRound = /board|hash/.test(name) || found.some((line) => line.startsWith(`round ${round}`));
      expect({ name, round, isOfRound, found }).toEqual({ name, round, isOfRound: true, found });
    });
  }
});

test.each(REWRITTEN_FROM)(
  'history that is rewritten from round %i on and signed anew contradicts the checkpoint seen before',
  async (from) => {
    const rounds = await roundsOf();
    const round = rounds.find((id) => id >= from) ?? rounds.at(-1) ?? 0;
    await withPlanted(
      field.service.newEm,
      { statements: REWRITTEN.map((table) => `delete from ${table} where false`) },
      async () => {
        await field.service.newEm().transactional(async (transaction) => {
          await transaction.execute('set local session_replication_role = replica');
          await rewriteFrom(transaction, round);
        });
        const file = join(folder, 'again.json');
        await copyFile(SEEN, file);
        const found = await alarmsOf(file);
        expect(
          found.some((line) => /^The first \d+ leaves of the log are not those that were published\.$/.test(line)),
        ).toBe(true);
        // Only the earlier checkpoint reveals it; and it is kept.
        expect(await alarmsOf(file)).toEqual(found);
      },
    );
  },
);
