import { afterAll, beforeAll, beforeEach, expect, test } from '@jest/globals';

import { PERIODS, WINDOW_LENGTHS } from '../../src/rules/windows.ts';
import { addAgents, type Arena, openArena } from '../support/arena.ts';
import { endOf, insertRound, NO_CANDLES } from './inserted-round.ts';
import { applyOutcome, applyVoid } from '../../src/jobs/apply-outcome.ts';
import { randomHistory } from './random-history.ts';

let arena: Arena;

beforeAll(async () => {
  arena = await openArena();
});

beforeEach(() => arena.reset());

afterAll(() => arena.close());

const TALLIES = `
  select asset, question_type, choice_count, confidence, is_correct, daily_n, weekly_n, monthly_n, alltime_n
  from field_tallies where alltime_n > 0 order by asset, question_type, choice_count, confidence, is_correct`;

/** Counts every scored prediction anew, from the scores. */
const RECOUNT = `
  select a.asset, r.question_type, jsonb_array_length(r.choices) as choice_count, p.confidence, s.is_correct,
    ${PERIODS.map((period) => `count(*) filter (where ${inWindow(period)})::int as ${period}_n`).join(', ')}
  from scores s join predictions p using (round_id, agent_id) join rounds r on r.id = s.round_id
  cross join lateral (select '*' as asset union all select asset from round_assets where round_id = r.id) a
  group by 1, 2, 3, 4, 5 order by 1, 2, 3, 4, 5`;

function inWindow(period: (typeof PERIODS)[number]): string {
  const length = WINDOW_LENGTHS[period];
  if (length === null) return 'true';
  return `r.end_time > (select max(end_time) from rounds where status = 'resolved') - interval '${length / 1000} seconds'`;
}

test('tallies equal a recount after every sort of gap, late round and void round', async () => {
  const { agentCount, rounds } = randomHistory(20_261);
  await addAgents(arena, agentCount);
  // Through a gap of each length that empties a window.
  const played = rounds.slice(0, 480);
  for (const [n, planned] of played.entries()) {
    const round = await insertRound(arena, planned);
    await arena.query(
      `insert into round_assets (round_id, asset, position, provider_id)
       select $1, asset, 0, asset from unnest($2::text[]) asset`,
      [round.id, n % 3 === 0 ? ['BTC'] : ['ETH', 'SOL']],
    );
    const ruled = { ...NO_CANDLES, now: endOf(planned.decidedInHour) };
    if (planned.answer === null) await applyVoid(arena.newEm(), round, { ...ruled, reason: 'tie' });
    else await applyOutcome(arena.newEm(), round, { ...ruled, answer: planned.answer });
    if (planned.checked || n === played.length - 1)
      expect(await arena.query(TALLIES)).toEqual(await arena.query(RECOUNT));
  }
  expect((await arena.query(TALLIES)).length).toBeGreaterThan(500);
});
