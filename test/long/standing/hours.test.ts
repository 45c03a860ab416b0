import { expect, test } from '@jest/globals';

import { applyDefaultAnswers } from '../../../src/jobs/cycle/apply-default-answers.ts';
import { openHour, standAll, timeIn } from '../../jobs/standing-field.ts';
import { seeded } from '../../support/seeded.ts';
import { sharedArena } from '../../support/shared.ts';

const HOURS = Number(process.env['STANDING_HOURS'] ?? 1_000);
const AGENTS = 3;
const MINUTE = 60_000;

const arena = sharedArena(0);

test(`${HOURS} hours with a jumping clock apply standing predictions once, when due and before the lock`, async () => {
  await standAll(arena, AGENTS);
  const random = seeded(10_000);
  const expected: number[] = [];
  for (let hour = 0; hour < HOURS; hour += 1) {
    const id = await openHour(arena, hour);
    const lockMs = MINUTE * random.pick([0, 0, 0, 1, 15, 30, 59]);
    const openMs = 60 * MINUTE - lockMs;
    const dueMs = openMs - Math.min(10 * MINUTE, openMs / 2);
    const edges = [dueMs - 1, dueMs, dueMs + 1, openMs - 1, openMs, openMs + 1, 60 * MINUTE, 61 * MINUTE];
    const turns = Array.from({ length: random.between(0, 3) }, () =>
      random.chance(0.5) ? random.pick(edges) : random.between(0, 70 * MINUTE),
    ).toSorted((one, other) => one - other);
    for (const ms of turns) {
      const now = timeIn(hour, ms);
      await applyDefaultAnswers({ newEm: arena.newEm, clock: { now: () => now }, lockMs, announce: () => {} });
    }
    const first = turns.find((ms) => ms >= dueMs && ms < openMs);
    if (first !== undefined) expected.push(id);
    const found = await arena.query<{ ms: number }>(
      `select extract(epoch from p.submitted_at - r.start_time)::float8 * 1000 as ms from predictions p
       join rounds r on r.id = p.round_id where p.round_id = $1`,
      [id],
    );
    expect({ hour, turns, lockMs, found }).toEqual({
      hour,
      turns,
      lockMs,
      found: first === undefined ? [] : Array.from({ length: AGENTS }, () => ({ ms: first })),
    });
  }
  const rounds = await arena.query<{ id: number }>(
    `select id from rounds where standing_at is not null and total_entries = ${AGENTS} order by id`,
  );
  expect(rounds.map(({ id }) => id)).toEqual(expected);
  expect(expected.length).toBeGreaterThan(HOURS / 10);
});
