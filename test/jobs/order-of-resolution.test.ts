import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { resolveRound } from '../../src/jobs/resolution.ts';
import { addHours } from '../../src/rules/hours.ts';
import { addAgents, type Arena, openArena } from '../support/arena.ts';
import { assetOf, hourAsking, playRound } from './played-round.ts';

let arena: Arena;

beforeAll(async () => {
  arena = await openArena();
  await addAgents(arena, 1);
});

afterAll(() => arena.close());

test('times of decisions tell their order, also where one process read its clock before another had decided', async () => {
  const noon = new Date('2026-01-01T12:00:00Z');
  const first = hourAsking('direction', noon);
  const second = hourAsking('direction', addHours(first, 1));
  const played = [];
  for (const start of [first, second]) {
    const round = await playRound(arena, start, [[1, 0, 90]]);
    arena.market.script(assetOf(round), start, ['100', '103', '99', '101']);
    played.push(round);
  }
  const [earlier, later] = played;
  if (earlier === undefined || later === undefined) throw new Error('Two rounds were played');
  const now = new Date(later.end.getTime() + 1_000);
  await resolveRound(arena, later.id, { now });
  await resolveRound(arena, earlier.id, { now: new Date(now.getTime() - 500) });
  const rows = await arena.query<{ id: number; decided_at: Date }>(
    'select id, decided_at from rounds where decided_at is not null order by decided_at',
  );
  expect(rows).toEqual([
    { id: later.id, decided_at: now },
    { id: earlier.id, decided_at: new Date(now.getTime() + 1) },
  ]);
});
