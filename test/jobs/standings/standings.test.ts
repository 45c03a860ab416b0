import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { applyOutcome, applyVoid } from '../../../src/jobs/apply-outcome.ts';
import { addAgents, type Arena, only, openArena } from '../../support/arena.ts';
import { endOf, insertRound, NO_CANDLES, someReferences } from '../inserted-round.ts';
import { Ledger } from '../ledger.ts';
import { type PlannedRound, randomHistory } from '../random-history.ts';
import { boardsNow, boardsOf, countsNow, countsOf, standingsNow } from '../standings-now.ts';

let arena: Arena;

beforeAll(async () => {
  arena = await openArena();
});

afterAll(() => arena.close());

async function decide(
  { hour, decidedInHour, choices, predictions, answer }: PlannedRound,
  rebuildFrom: number,
): Promise<number> {
  const round = await insertRound(arena, { hour, choices, predictions });
  const ruled = { ...NO_CANDLES, now: endOf(decidedInHour), rebuildFrom, references: someReferences(choices) };
  if (answer === null) await applyVoid(arena.newEm(), round, { ...ruled, reason: 'tie' });
  else await applyOutcome(arena.newEm(), round, { ...ruled, answer });
  return round.id;
}

async function expectPlatformToCount(): Promise<void> {
  const counted = await only(
    arena,
    `select (select count(*)::int from predictions) as decided_predictions,
       (select sum(confidence) from predictions) as decided_confidence_sum,
       (select count(*)::int from rounds where status = 'resolved') as resolved_rounds,
       (select max(end_time) from rounds where status = 'resolved') as newest_resolved_end,
       (select max(decided_at) from rounds where status = 'resolved') as boards_updated_at,
       (select count(*)::int from events) as last_seq`,
  );
  expect(await only(arena, `select ${Object.keys(counted).join(', ')} from platform`)).toEqual(counted);
}

test.each([
  ['in their places', () => Infinity],
  ['now and then by a new table', (place: number) => (place % 8 === 0 ? 0 : Infinity)],
])(
  'over a long history, written %s, every standing, board, rank, tier change and total is what its scores add up to',
  async (_, rebuildFrom) => {
    await arena.reset();
    const { agentCount, rounds } = randomHistory(20_261_121);
    await addAgents(arena, agentCount);
    const ledger = new Ledger();
    for (const [place, round] of rounds.entries()) {
      const id = await decide(round, rebuildFrom(place));
      if (round.answer !== null) await ledger.book(arena, id);
      if (place % 20 !== 0 && !round.checked && place !== rounds.length - 1) continue;
      const standings = await standingsNow(arena);
      expect(standings).toEqual(ledger.standings());
      expect(await boardsNow(arena)).toEqual(boardsOf(standings));
      expect(await countsNow(arena)).toEqual(await countsOf(arena));
      await expectPlatformToCount();
    }
    const changes = await arena.query<{ payload: { from: string; to: string } }>(
      `select round_id, payload from events where kind = 'TIER_CHANGED' order by seq`,
    );
    expect(changes).toEqual(ledger.tierChanges());
    // The history reaches what it is there for.
    const kinds = new Set(changes.map(({ payload: { from, to } }) => `${from} ${to}`));
    for (const kind of ['bronze silver', 'silver gold', 'gold diamond', 'gold silver', 'silver bronze']) {
      expect(kinds).toContain(kind);
    }
  },
);
