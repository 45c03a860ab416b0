import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { join } from 'node:path';

import { monthTurner } from '../../src/jobs/months.ts';
import { archiveMonth } from '../../src/month-archive/archive-month.ts';
import { DAY, HOUR } from '../../src/rules/hours.ts';
import { addAgents, type Arena, openArena } from '../support/arena.ts';
import { insertDecided } from '../jobs/inserted-round.ts';
import { ownFolder } from '../support/own-folder.ts';

/** When the last round of January is decided. */
const DECIDED = Date.parse('2026-02-01T00:00:00Z');

const parent = ownFolder();
let arena: Arena;

beforeAll(async () => {
  arena = await openArena();
  const [agentId = 0] = await addAgents(arena, 1);
  const predictions = [{ agentId, confidence: 60 }];
  await insertDecided(arena, { hour: 10, predictions }, { answer: 'YES' });
  await monthTurner(arena)(new Date('2026-01-01T11:30:00Z'));
  await insertDecided(arena, { hour: 31 * 24 - 1, predictions }, { answer: 'YES' });
  await arena.query(`select setval('rounds_id_seq', (select until_round from months order by month limit 1))`);
});

afterAll(() => arena.close());

/** Archives January while the round of this time runs and the next one waits; an operator ended the one after it. */
async function archiveAt(running: number) {
  await arena.query('delete from rounds where status <> $1', ['resolved']);
  for (const [status, start] of [
    ['active', running],
    ['upcoming', running + HOUR],
    ['void', running + 2 * HOUR],
  ] as const)
    await arena.query(
      `insert into rounds (start_time, end_time, status, question_type, prediction_format, question, choices, source,
         void_reason, decided_at)
       values ($1, $2, $3, 'direction', 'boolean', 'inserted by a test', '["YES","NO"]', 'scripted', $4, $5)`,
      [
        new Date(start),
        new Date(start + HOUR),
        status,
        ...(status === 'void' ? ['admin', new Date(running)] : [null, null]),
      ],
    );
  const place = { month: '2026-01', folder: join(parent, String(running)) };
  return archiveMonth(arena.connection, place, { version: '9.9.9', now: new Date(running) });
}

test('a month is archived once its rounds cannot be amended, not when the next round is stored', async () => {
  const refusal = /^The rounds of 2026-01 must have been decided for 7 days/;
  await expect(archiveAt(DECIDED + 7 * DAY - HOUR)).rejects.toThrow(refusal);
  await expect(archiveAt(DECIDED + 7 * DAY)).rejects.toThrow(refusal);
  expect(await archiveAt(DECIDED + 7 * DAY + HOUR)).toMatchObject({ month: '2026-01' });
});
