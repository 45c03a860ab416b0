import { describe, expect, test } from '@jest/globals';
import { runDifferences } from './compare.ts';
import { at, bodyOf, listOf, numberOf, type Body } from './json.ts';
import { faultlessRun, madeUpCandles, recordOf } from './recorded-run.ts';
import type { Recording } from './recording.ts';

/** Each comparison of the history suites finds nothing in a faultless run and finds the fault that is planted in it. */

type Fault = [name: string, plant: (run: Recording) => void, noticedIn: RegExp];

function add(body: Body, key: string, amount: number): void {
  body[key] = numberOf(body, key) + amount;
}

function swapped(board: Body, place: number): Body[] {
  const rows = listOf(board, 'rankings');
  return rows.with(place, at(rows, place + 1)).with(place + 1, at(rows, place));
}

/** Rounds by ordinal: 0 relative, 5 direction, 6 threshold; 20 has no candles. */
const FAULTS: Fault[] = [
  ['a changed score', (run) => add(at(recordOf(run, 5).predictions, 0), 'score', 10), /results of round 6.*score/],
  [
    'a changed score of an entry',
    (run) => add(at(recordOf(run, 5).entries, 2), 'score', 10),
    /entries of round 6.*score/,
  ],
  ['a wrong answer called right', (run) => void (at(recordOf(run, 5).entries, 0)['is_correct'] = 2), /is_correct/],
  ['an edge that is a millionth too high', (run) => add(at(recordOf(run, 5).worths, 0), 'edge', 1e-6), /round 6: edge/],
  [
    'a reference that does not add up',
    (run) => add(at(listOf(at(recordOf(run, 20).worths, 0), 'reference'), 1), 'probability', 0.1),
    /does not add up to 1/,
  ],
  ['a prediction without its worth', (run) => void recordOf(run, 5).worths.pop(), /worths of round 6/],
  ['a streak bonus too much', (run) => add(at(recordOf(run, 9).predictions, 0), 'streak_bonus', 5), /streak_bonus/],
  ['a lost prediction', (run) => void recordOf(run, 5).entries.pop(), /entries of round 6: length/],
  [
    'a prediction shown twice',
    (run) => void recordOf(run, 5).predictions.push({ ...at(recordOf(run, 5).predictions, -1) }),
    /length/,
  ],
  ['a prediction that nobody made', (run) => void run.accepted.splice(40, 1), /length/],
  ['a prediction of another round', (run) => void (at(run.accepted, 40)['round_id'] = 999), /does not exist/],
  ['another confidence than promised', (run) => add(at(recordOf(run, 5).entries, 0), 'confidence', 1), /confidence/],
  [
    'results out of order',
    (run) => void (recordOf(run, 5).predictions = recordOf(run, 5).predictions.toReversed()),
    /scores of results of round 6/,
  ],
  ['a wrong price', (run) => add(recordOf(run, 0).round, 'start_btc_price', 0.01), /start_btc_price/],
  ['a wrong last digit of a return', (run) => add(recordOf(run, 0).round, 'btc_return_pct', 0.0001), /btc_return_pct/],
  ['a wrong resolution value', (run) => add(recordOf(run, 6).round, 'resolution_value', 1), /resolution_value/],
  ['another outcome', (run) => void (recordOf(run, 1).round['outcome'] = 'NONE'), /outcome/],
  [
    'a threshold that decides otherwise',
    (run) => add(bodyOf(recordOf(run, 6).round, 'params'), 'threshold_pct', 5),
    /round 7/,
  ],
  ['a void round that is resolved', (run) => void (recordOf(run, 20).round['status'] = 'resolved'), /round 21: status/],
  ['another void reason', (run) => void (recordOf(run, 20).round['void_reason'] = 'tie'), /void_reason/],
  [
    'a scored prediction of a void round',
    (run) => void (at(recordOf(run, 20).entries, 0)['score'] = 10),
    /entries of round 21/,
  ],
  [
    'a question that changed',
    (run) => void (at(run.learned, 3)['question'] = 'Another one?'),
    /as it was asked: question/,
  ],
  ['a question without its times', (run) => void (recordOf(run, 5).round['question'] = 'BTC up?'), /the text/],
  [
    'an operator of another type',
    (run) => void (bodyOf(recordOf(run, 5).round, 'params')['operator'] = '<='),
    /params.operator/,
  ],
  ['too many assets', (run) => void (bodyOf(recordOf(run, 5).round, 'assets')['XRP'] = 'XRP-USD'), /assets/],
  [
    'an end time two hours later',
    (run) => void (recordOf(run, 5).round['end_time'] = '2099-01-01 00:00:00'),
    /end_time/,
  ],
  ['a missing hour', (run) => void run.rounds.splice(10, 1), /3600|7200/],
  [
    'an entry before the hour',
    (run) => void (at(run.accepted, 0)['submitted_at'] = '1999-01-01T00:00:00'),
    /outside of the hour/,
  ],
  ['a wrong recent round', (run) => add(at(run.recent, 2), 'total_entries', 1), /recent\[2\]: total_entries/],
  [
    'a wrong total',
    (run) => add(bodyOf(at(run.agents, 3).shown, 'agent'), 'total_points', -5),
    /public profile.*total_points/,
  ],
  [
    'a wrong own P&L',
    (run) => add(bodyOf(at(run.agents, 3).own, 'agent'), 'sim_pnl_7d', 0.01),
    /own profile.*sim_pnl_7d/,
  ],
  [
    'arena points of another place',
    (run) => add(bodyOf(at(run.agents, 0).own, 'agent'), 'total_arena_points', 200),
    /arena/,
  ],
  [
    'a tier too high',
    (run) => void (bodyOf(at(run.agents, 3).shown, 'agent')['credential_tier'] = 'gold'),
    /credential_tier/,
  ],
  [
    'a secret on a public profile',
    (run) => void (bodyOf(at(run.agents, 3).shown, 'agent')['wallet_address'] = null),
    /own fields/,
  ],
  [
    'a wrong recent prediction',
    (run) => void (at(listOf(at(run.agents, 2).own, 'recent_predictions'), 7)['score'] = 1),
    /own recent_predictions/,
  ],
  [
    'a swapped pair in a board',
    (run) => void (at(run.boards, 3)['rankings'] = swapped(at(run.boards, 3), 4)),
    /final alltime board\[4\]/,
  ],
  [
    'a wrong rank',
    (run) => add(at(listOf(at(run.boards, 0), 'rankings'), 2), 'rank', 1),
    /final daily board\[2\]: rank/,
  ],
  [
    'a row too few',
    (run) => void (at(run.boards, 1)['rankings'] = listOf(at(run.boards, 1), 'rankings').slice(1)),
    /weekly board: length/,
  ],
  [
    'a moment with a wrong row',
    (run) => add(at(listOf(at(at(run.moments, 1).boards, 0), 'rankings'), 0), 'total_wins', 1),
    /moment 1.*no state/,
  ],
  [
    'a moment that shows an earlier state',
    (run) => void (at(run.moments, 2).boards = at(run.moments, 0).boards),
    /moment 2.*no state/,
  ],
  [
    'boards that are updated backwards',
    (run) => void (at(at(run.moments, 2).boards, 0)['updated_at'] = '2020-01-01T00:00:00.000Z'),
    /updated/,
  ],
  ['a wrong count of agents', (run) => add(run.stats, 'total_agents', 1), /stats: total_agents/],
  ['another top agent', (run) => void (run.stats['top_agent'] = 'timid'), /stats: top_agent/],
  [
    'a tier counted twice',
    (run) => add(bodyOf(run.stats, 'credential_holders'), 'bronze', 1),
    /stats: credential_holders/,
  ],
  ['a round void too early', (run) => void (at(run.sightings, 1).status = 'void'), /round 21 cannot be void/],
  [
    'a round that is resolved and void',
    (run) => void run.sightings.push({ ...at(run.sightings, 3), status: 'void' }),
    /round 22 cannot be void/,
  ],
  ['a surprise', (run) => void run.surprises.push('a second prediction answers 201'), /answers 201/],
];

describe('a recorded run', () => {
  const faultless = JSON.stringify(faultlessRun());

  test('without a fault shows no difference', () => {
    expect(runDifferences(faultlessRun(), madeUpCandles)).toEqual([]);
  });

  test('is worth comparing: rounds of all types, void ones, tiers and a share of right answers', () => {
    const { rounds, accepted, stats } = faultlessRun();
    expect(new Set(rounds.map(({ round }) => round['question_type'])).size).toBe(13);
    expect(rounds.filter(({ round }) => round['status'] === 'void').length).toBeGreaterThan(0);
    expect(accepted.length).toBeGreaterThan(800);
    expect(numberOf(bodyOf(stats, 'credential_holders'), 'silver')).toBeGreaterThan(0);
  });

  test.each(FAULTS)('with %s shows it', (_, plant, noticedIn) => {
    const run: Recording = JSON.parse(faultless);
    plant(run);
    expect(runDifferences(run, madeUpCandles).join('\n')).toMatch(noticedIn);
  });
});
