import { expect, test } from '@jest/globals';

import { CHECKPOINT } from '../support/checkpoint.ts';
import { resolveRound } from '../../src/jobs/resolve/resolve-round.ts';
import { addHours } from '../../src/rules/hours.ts';
import type { QuestionType } from '../../src/rules/questions/question.ts';
import { only } from '../support/arena.ts';
import { assetOf, hourAsking, type PlayedRound, playRound } from './played-round.ts';
import { sharedArena } from '../support/shared.ts';

const arena = sharedArena(3);

const TOTALS = ['standings', 'board_places', 'scores', 'round_assets'];

async function totals() {
  const found: unknown[] = [];
  for (const table of TOTALS) found.push(await arena.query(`select * from ${table} order by 1, 2`));
  return found;
}

/** A round with prices whose first two assets move alike, and ahead of all others. */
async function playTie(questionType: QuestionType, from: Date): Promise<PlayedRound> {
  const round = await playRound(arena, hourAsking(questionType, from), [
    [1, 0, 90],
    [3, 1, 20],
  ]);
  for (const [place, asset] of round.assets.entries()) {
    const level = 10 ** place;
    const candle = place < 2 ? [100, 300, 100, 200] : [100, 100, 100, 100];
    const [open, high, low, close] = candle.map((price) => String(price * level));
    arena.market.script(asset, round.start, [open ?? '', high ?? '', low ?? '', close ?? '']);
  }
  return round;
}

test.each<QuestionType>(['relative', 'best_performer', 'podium', 'volatility'])(
  'two winners of a %s round void it and change no standing',
  async (questionType) => {
    const first = await playRound(arena, new Date('2026-01-01T00:00:00Z'), [
      [1, 0, 90],
      [2, 1, 90],
    ]);
    await resolveRound(arena, first.id, { now: first.end });
    const round = await playTie(questionType, first.end);
    const before = await totals();
    const boards = await only<{ boards_updated_at: Date; last_seq: number }>(arena, 'select * from platform');
    const now = addHours(round.end, 1);
    await resolveRound(arena, round.id, { now });

    expect(
      await only(
        arena,
        'select status, outcome, resolution_value, void_reason, decided_at, total_entries from rounds where id = $1',
        [round.id],
      ),
    ).toEqual({
      status: 'void',
      outcome: null,
      resolution_value: null,
      void_reason: 'tie',
      decided_at: now,
      total_entries: 2,
    });
    expect(await totals()).toEqual(before);
    expect(
      await only(
        arena,
        `select resolved_rounds, decided_predictions, decided_confidence_sum, newest_resolved_end, boards_updated_at from platform`,
      ),
    ).toEqual({
      resolved_rounds: 1,
      decided_predictions: 4,
      decided_confidence_sum: 290,
      newest_resolved_end: first.end,
      boards_updated_at: boards.boards_updated_at,
    });
    expect(await arena.query('select seq, kind, payload from events where seq > $1', [boards.last_seq])).toEqual([
      { seq: boards.last_seq + 1, kind: 'ROUND_VOID', payload: { reason: 'tie', checkpoint: CHECKPOINT } },
    ]);
    expect(await only(arena, 'select count(*)::int as kept from candles where round_id = $1', [round.id])).toEqual({
      kept: round.assets.length,
    });
  },
);

test('void and skipped rounds leave a streak unchanged', async () => {
  const start = new Date('2026-01-01T00:00:00Z');
  const streaks: number[] = [];
  for (const hour of [0, 1, 2, 3]) {
    const decided = await playRound(arena, hourAsking('direction', addHours(start, hour * 24)), [[1, 0, 90]]);
    arena.market.script(assetOf(decided), decided.start, ['1', '2', '1', '2']);
    await resolveRound(arena, decided.id, { now: decided.end });
    const tie = await playTie('relative', decided.end);
    await resolveRound(arena, tie.id, { now: tie.end });
    const satOut = await playRound(arena, hourAsking('breadth', tie.end), [[2, 0, 90]]);
    await resolveRound(arena, satOut.id, { now: satOut.end });
    const { current_streak } = await only<{ current_streak: number }>(
      arena,
      'select current_streak from standings where agent_id = 1',
    );
    streaks.push(current_streak);
  }
  expect(streaks).toEqual([1, 2, 3, 4]);
  expect(await arena.query('select streak_bonus from scores where agent_id = 1 order by round_id')).toEqual(
    [0, 0, 5, 5].map((streak_bonus) => ({ streak_bonus })),
  );
});
