import { describe, expect, test } from '@jest/globals';
import { candle, HAND_MADE_HOUR, round } from './hand-made.ts';
import { at, numberOf, type Body } from './json.ts';
import { rankingsOf, windowOf } from './oracle-boards.ts';
import { ledgerOf, type Submitted } from './oracle-ledger.ts';
import type { Candles } from './candle-files.ts';

/** Neither on real candles nor on the service: the oracle against cases that are worked out by hand. */

const rising: Candles = () => candle([100n, 102n, 99n, 101n]);

/** Without a price that is known. */
function submitted(...bodies: readonly Body[]): Submitted {
  return { accepted: bodies, said: new Map() };
}

function accepted(roundId: number, agent: number, prediction: string, confidence: number): Body {
  const who = { id: roundId * 10 + agent, agent_id: agent, round_id: roundId };
  return { ...who, prediction, confidence, submitted_at: '1970-01-05T04:00:00' };
}

describe('boards', () => {
  const names = new Map([
    [1, 'one'],
    [2, 'two'],
    [3, 'three'],
  ]);
  const facts = [1, 2, 3].map((id) => round({ id, subject: 'BTC', hour: HAND_MADE_HOUR + 24 * (id - 1) }));
  const ledger = ledgerOf(
    facts,
    submitted(
      accepted(1, 1, 'YES', 85),
      accepted(1, 2, 'NO', 85),
      accepted(2, 1, 'YES', 60),
      accepted(2, 3, 'YES', 60),
      accepted(3, 1, 'YES', 10),
      accepted(3, 2, 'YES', 10),
      accepted(3, 3, 'NO', 40),
    ),
    rising,
  );

  test('the day is open at its far end', () => {
    expect(
      (['daily', 'weekly'] as const).map((period) => windowOf(ledger, 3, period).map((each) => each.facts.id)),
    ).toEqual([[3], [1, 2, 3]]);
  });

  test('the rows of all time are those worked out by hand', () => {
    // With two answers P&L is (100 / 1.5) (1/2 - 2 m^2) for a miss of m: 85 right 30.33, 85 wrong -63, 60 right 12, below 50 nothing.
    const rows = rankingsOf(ledger, names, 3, 'alltime');
    expect(rows.map((row) => [row['rank'], row['name'], row['total_points'], row['total_arena_points']])).toEqual([
      [1, 'one', 110 + 70 + 40 + 5, 700 + 700 + 700],
      [2, 'three', 70 + 0, 200 + 200],
      [3, 'two', -40 + 40, 200 + 200],
    ]);
    expect(
      rows.map((row) => [row['sim_pnl_total'], row['win_rate'], row['current_streak'], row['best_streak']]),
    ).toEqual([
      [30.33 + 12, 100, 3, 3],
      [12.0, 50, 0, 1],
      [-63.0, 50, 1, 1],
    ]);
  });

  test('equal points share a rank and go by wins and then by id', () => {
    const rows = rankingsOf(ledger, names, 3, 'daily');
    expect(rows.map((row) => [numberOf(row, 'rank'), row['name']])).toEqual([
      [1, 'one'],
      [2, 'two'],
      [3, 'three'],
    ]);
    const tied = ledgerOf(
      [at(facts, 0)],
      submitted(accepted(1, 3, 'YES', 10), accepted(1, 2, 'YES', 40), accepted(1, 1, 'NO', 9)),
      rising,
    );
    expect(rankingsOf(tied, names, 1, 'alltime').map((row) => [row['rank'], row['name']])).toEqual([
      [1, 'two'],
      [1, 'three'],
      [3, 'one'],
    ]);
  });
});
