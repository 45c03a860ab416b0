import { expect, test } from '@jest/globals';

import { rebuildLedger } from '../../../src/jobs/ledger/rebuild.ts';
import { Replay } from '../../oracle/replay.ts';
import { BOARD_FACTS, factDifferences, PLATFORM_FACTS, TALLY_FACTS } from '../../oracle/stored-facts.ts';
import { addAgents } from '../../support/arena.ts';
import { sharedArena } from '../../support/shared.ts';
import { insertDecided, someReferences } from '../inserted-round.ts';
import { randomHistory } from '../random-history.ts';

const arena = sharedArena();

test.each([
  ['in place', () => Infinity],
  ['partly by a new table', (place: number) => (place % 8 === 0 ? 0 : Infinity)],
])(
  'a long history, written %s, has the scores, standings, boards, tiers and totals of its predictions, also when rebuilt',
  async (_, rebuildFrom) => {
    const { agentCount, rounds } = randomHistory(20_261_121);
    await addAgents(arena, agentCount);
    const replay = new Replay(arena.query);
    for (const [place, round] of rounds.entries()) {
      const { id } = await insertDecided(arena, round, {
        ...round,
        rebuildFrom: rebuildFrom(place),
        references: someReferences(round.choices ?? ['YES', 'NO']),
      });
      expect(await replay.book(id)).toEqual([]);
      if (place % 20 !== 0 && !round.checked && place !== rounds.length - 1) continue;
      expect(await replay.standingDifferences()).toEqual([]);
      expect(await factDifferences(arena.query, [...BOARD_FACTS, ...PLATFORM_FACTS])).toEqual([]);
    }
    const changes = await arena.query<{ payload: { from: string; to: string } }>(
      `select round_id, payload from events where kind = 'TIER_CHANGED' order by seq`,
    );
    expect(changes).toEqual(replay.tierChanges());
    // The history reaches what it is there for.
    const kinds = new Set(changes.map(({ payload: { from, to } }) => `${from} ${to}`));
    for (const kind of ['bronze silver', 'silver gold', 'gold diamond', 'gold silver', 'silver bronze']) {
      expect(kinds).toContain(kind);
    }
    await arena.query('update platform set sums_due = true');
    await rebuildLedger(arena.newEm, () => {});
    expect(await replay.standingDifferences()).toEqual([]);
    expect(await factDifferences(arena.query, [...BOARD_FACTS, ...TALLY_FACTS])).toEqual([]);
  },
);
