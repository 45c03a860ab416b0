import { expect, test } from '@jest/globals';

import { applyDefaultAnswers } from '../../../src/jobs/cycle/apply-default-answers.ts';
import { openHour, standAll, timeIn } from '../../jobs/standing-field.ts';
import { sharedArena } from '../../support/shared.ts';

const AGENTS = 100_000;
const HOURS = 3;

const arena = sharedArena(0);

/** How many milliseconds it takes. */
async function timed(work: () => Promise<unknown>): Promise<number> {
  const began = performance.now();
  await work();
  return Math.round(performance.now() - began);
}

test('one statement writes 50,000 standing predictions for silent agents', async () => {
  await standAll(arena, AGENTS);
  const rows: string[] = [];
  for (let hour = 0; hour < HOURS; hour += 1) {
    const id = await openHour(arena, hour);
    const plain = await timed(() =>
      arena.query(
        `insert into predictions (round_id, agent_id, prediction, confidence, submitted_at)
         select $1, id, 'YES', 60, $2 from agents where id % 2 = 0 order by id`,
        [id, timeIn(hour, 60_000)],
      ),
    );
    const now = timeIn(hour, 50 * 60_000);
    const applied = await timed(() =>
      applyDefaultAnswers({ newEm: arena.newEm, clock: { now: () => now }, lockMs: 0, announce: () => {} }),
    );
    rows.push(`${applied} ms beside ${plain} ms for as many by a plain insert`);
    const [counts] = await arena.query(
      `select count(*) filter (where standing) as standing, count(*) as all from predictions where round_id = $1`,
      [id],
    );
    expect(counts).toEqual({ standing: AGENTS / 2, all: AGENTS });
  }
  process.stdout.write(`${rows.join('\n')}\n`);
});
