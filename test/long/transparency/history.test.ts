import { expect, test } from '@jest/globals';
import { join } from 'node:path';

import { Round } from '../../../src/entities/round.ts';
import { HOUR, hourOf, MINUTE } from '../../../src/rules/hours.ts';
import { checkLog } from '../../../src/verify/log/log-check.ts';
import { act, TOKEN } from '../../operating/admin.ts';
import { createTestDatabase } from '../../support/database.ts';
import { scopedFolder } from '../../support/own-folder.ts';
import { openField } from '../../support/played-field.ts';
import { startService } from '../../support/service.ts';

const ROUNDS = Number(process.env['LOG_ROUNDS'] ?? 60);
const ROUNDS_A_CHECK = Math.max(20, Math.round(ROUNDS / 10));
const MINUTES = [6, 20, 31, 50];

test(`a checker raises no alarm over ${ROUNDS} rounds with voids, amendments, removals, new keys, epochs and restarts`, async () => {
  const database = await createTestDatabase();
  await using folder = await scopedFolder();
  const file = join(folder.path, 'seen.json');
  const keeping = { bytes: 0 };
  const field = await openField({
    agents: 9,
    seed: 3,
    minutes: MINUTES,
    checkpoints: [5, 30, 55],
    keeping,
    adminToken: TOKEN,
    database,
  });
  let { service } = field;
  const { random, agents } = field;
  const ordered = async (action: Parameters<typeof act>[1], id: number, more = {}): Promise<void> => {
    const { status, body } = await act(service, action, id, 'For the test', more);
    if (status !== 200) throw new Error(JSON.stringify(body));
  };
  const execute = (statement: string) => service.newEm().execute(statement);
  let checks = 0;
  const check = async (): Promise<void> => {
    const found = await checkLog(service.url, file, { print: () => {}, wait: async () => {} });
    expect({ alarms: found.alarms, differences: found.differences }).toEqual({ alarms: [], differences: [] });
    expect(found.compared).toBeGreaterThan(10 * ROUNDS_A_CHECK);
    checks += 1;
  };
  const decided = (): Promise<Round[]> =>
    service.newEm().find(Round, { status: { $in: ['resolved', 'void'] } }, { orderBy: { id: 'asc' } });
  try {
    for (let round = 1; round <= ROUNDS; round += 1) {
      if (round % 7 === 0) await field.playWithoutPrices();
      else await field.play(1);
      if (round % 5 === 0) {
        const one = random.pick((await decided()).slice(-60));
        const others = [...one.choices, 'void'].filter((choice) => choice !== (one.outcome ?? 'void'));
        await ordered('amend', one.id, { outcome: random.pick(others) });
      }
      if (round % 11 === 0) await voidRunning();
      if (round === 15) await ordered('remove', agents[0] ?? 0);
      if (round === 20) await execute('update log_state set epoch = epoch + 1');
      if (round % 25 === 0)
        await service.request('POST', '/admin/keys/1/rotate', { key: TOKEN, body: { reason: 'Old.' } });
      // Words are in the leaf from the close on, and may be hidden later.
      await execute(`insert into rationales (round_id, agent_id, rationale, model)
        select round_id, agent_id, 'Because of ' || id, case when id % 2 = 0 then 'a-model' end from predictions p
        where id % 3 = 0 and exists (select from rounds r where r.id = p.round_id and r.status = 'active') on conflict do nothing`);
      if (round % 13 === 0) await execute(`update rationales set hidden_at = now() where agent_id = ${agents[1]}`);
      if (round % ROUNDS_A_CHECK === 0) await check();
    }
    await check();
    await service.stop();
    service = await startService({
      database,
      keeping,
      adminToken: TOKEN,
      start: new Date(hourOf(service.clock.now()).getTime() + 3 * HOUR + 10 * MINUTE).toISOString(),
    });
    await service.turn();
    await service.nextHour();
    await check();
    expect(checks).toBe(Math.floor(ROUNDS / ROUNDS_A_CHECK) + 2);
  } finally {
    await service.stop();
    await database.drop();
  }

  async function voidRunning(): Promise<void> {
    const running = await service.newEm().findOneOrFail(Round, { status: 'active' });
    await ordered('void', running.id);
    await service.nextHour();
  }
});
