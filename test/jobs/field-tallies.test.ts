import { expect, test } from '@jest/globals';

import { factDifferences, TALLY_FACTS } from '../oracle/stored-facts.ts';
import { addAgents, only } from '../support/arena.ts';
import { sharedArena } from '../support/shared.ts';
import { insertDecided } from './inserted-round.ts';
import { randomHistory } from './random-history.ts';

const arena = sharedArena();

test('tallies equal a recount after gaps, late rounds and void rounds', async () => {
  const { agentCount, rounds } = randomHistory(20_261);
  await addAgents(arena, agentCount);
  // Through a gap of each length that empties a window.
  const played = rounds.slice(0, 480);
  for (const [n, planned] of played.entries()) {
    await insertDecided(arena, { ...planned, assets: n % 3 === 0 ? ['BTC'] : ['ETH', 'SOL'] }, planned);
    if (planned.checked || n === played.length - 1) expect(await factDifferences(arena.query, TALLY_FACTS)).toEqual([]);
  }
  const { kinds } = await only<{ kinds: number }>(
    arena,
    'select count(*)::int as kinds from field_tallies where alltime_n > 0',
  );
  expect(kinds).toBeGreaterThan(500);
});
