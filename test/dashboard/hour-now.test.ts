import { describe, expect, test } from '@jest/globals';

import { heatCells, isFilled, rowsOf } from '../../dashboard/breakdown-cells.ts';
import { crowdLine, entryDots, minuteLine, probabilityOf } from '../../dashboard/hour-lines.ts';
import { begunAt, type HourNow, withCurrent, withEntries, withRecent, withRound } from '../../dashboard/round-now.ts';

type LiveRound = NonNullable<HourNow['round']>;
type Entry = HourNow['entries'][number];

const entry = (id: number, confidence = 60): Entry => ({
  id,
  agentId: id,
  agentName: `agent-${id}`,
  prediction: 'YES',
  confidence,
  submittedAt: `2026-01-01T12:${String(id).padStart(2, '0')}:00.000Z`,
  standing: false,
});

const hour = (id: number): string => `2026-01-01T${String(id).padStart(2, '0')}:00:00.000Z`;

/** Begins at the hour of its id. */
const round = (
  id: number,
  status: LiveRound['status'],
  entries: readonly Entry[] = [],
): LiveRound & HourNow['recent'][number] => ({
  id,
  question: '',
  questionType: 'direction',
  choices: ['YES', 'NO'],
  params: { subject: 'BTC', thresholdPct: null, n: null },
  assets: [],
  startTime: hour(id),
  endTime: hour(id + 1),
  status,
  totalEntries: entries.length,
  outcome: null,
  voidReason: null,
  crowd: null,
  predictions: { nodes: entries },
  best: { nodes: [] },
});

const NOTHING: HourNow = { round: null, entries: [], recent: [] };

describe('hour being played', () => {
  test('the hour stays while other rounds change, until the next round opens', () => {
    const playing = withRound(NOTHING, round(5, 'active'));
    expect(withRound(playing, round(6, 'upcoming'))).toBe(playing);
    expect(withRound(playing, round(4, 'resolved'))).toBe(playing);
    const over = withRound(playing, round(5, 'resolving'));
    expect(over.round?.status).toBe('resolving');
    expect(withRound(over, round(6, 'active')).round?.id).toBe(6);
  });

  test('the hour has each entry once, in the order of submission', () => {
    const first = withRound(NOTHING, round(5, 'active', [entry(9), entry(8)]));
    const second = withEntries(first, 5, [entry(7), entry(8)]);
    const third = withRound(second, round(5, 'active', [entry(10), entry(9)]));
    expect(third.entries.map(({ id }) => id)).toEqual([7, 8, 9, 10]);
    expect(withEntries(third, 4, [entry(1)])).toBe(third);
    expect(withRound(third, round(6, 'active')).entries).toEqual([]);
  });

  test('the hour keeps the newest six ended rounds, each in its last state', () => {
    const states = [1, 2, 3, 4, 5, 6, 7].map((id) => round(id, 'resolving'));
    const all = [...states, round(7, 'resolved'), round(8, 'active')].reduce<HourNow>(withRecent, NOTHING);
    expect(begunAt(all, Date.parse(hour(8))).recent.map(({ id, status }) => `${id} ${status}`)).toEqual(
      ['7 resolved', '6', '5', '4', '3', '2'].map((text) => (text.includes(' ') ? text : `${text} resolving`)),
    );
  });
});

test.each([withRound(NOTHING, round(5, 'active')), NOTHING])(
  'a round voided before its hour is among the ended ones from its hour on, in which none is shown',
  (playing) => {
    const known = [round(6, 'void'), round(5, 'void')].reduce<HourNow>(withRecent, playing);
    const idsAt = (time: string) => begunAt(known, Date.parse(time)).recent.map(({ id }) => id);
    expect(idsAt('2026-01-01T05:59:59.999Z')).toEqual([5]);
    expect(idsAt(hour(6))).toEqual([6, 5]);
    expect(begunAt(known, Date.parse(hour(6)) - 1).round).toBe(playing.round);
    expect(begunAt(known, Date.parse(hour(6))).round).toBeNull();
  },
);

test('a decided round that is newer than the one shown does not end its hour', () => {
  const known = withRecent(withRound(NOTHING, round(5, 'active')), round(6, 'resolving'));
  expect(begunAt(known, Date.parse(hour(6))).round?.id).toBe(5);
});

describe('answer without a current round', () => {
  const answer = { currentRound: null, nextRound: round(6, 'upcoming') };

  test.each(['active', 'resolving', 'void'] as const)('the round shown as %s is over', (status) => {
    const playing = withRound(NOTHING, round(5, 'active', [entry(9)]));
    const shown = withRecent(withRound(playing, round(5, status)), round(4, 'resolved'));
    expect(withCurrent(shown, answer)).toEqual({ round: null, entries: [], recent: [round(4, 'resolved')] });
  });

  test('a round that began after the answer stays', () => {
    const begun = withRound(NOTHING, round(6, 'active', [entry(9)]));
    expect(withCurrent(begun, answer)).toBe(begun);
  });
});

describe('crowd through the hour', () => {
  const question = { start: '2026-01-01T12:00:00.000Z', answer: 'NO', choices: 2 };

  test('each entry has a probability for every answer, also unpicked ones', () => {
    expect(probabilityOf({ prediction: 'BTC', confidence: 70 }, 'BTC', 4)).toBe(0.7);
    expect(probabilityOf({ prediction: 'BTC', confidence: 70 }, 'ETH', 4)).toBeCloseTo(0.1);
    expect(probabilityOf({ prediction: null, confidence: null }, 'ETH', 4)).toBeNull();
  });

  test('the crowd is the mean of all entries so far without sealed ones', () => {
    const dots = entryDots(
      [entry(3, 100), { ...entry(4), prediction: null, confidence: null }, entry(6, 50)],
      question,
    );
    expect(dots).toEqual([
      { minute: 3, value: 0 },
      { minute: 6, value: 0.5 },
    ]);
    expect(crowdLine(dots).map(({ value }) => value)).toEqual([0, 0.25]);
  });
});

const group = (row: string, edge: number | null) => ({
  keys: [{ value: row }, { value: '0-5' }] as const,
  n: 4,
  hitRate: { mean: 0.75 },
  brier: { mean: 0.125 },
  referenceBrier: 0.25,
  edge: edge === null ? null : { mean: edge, low: null, high: null },
});

const at = (row: string, ...columns: readonly string[]) => columns.map((column) => ({ row, column }));

describe('breakdown', () => {
  test('a cell is coloured by edge, or by the gain over a guess, up to a maximum', () => {
    const cells = heatCells([group('touch', -0.125), group('range', null), group('podium', 2)]);
    expect(cells.map(({ value }) => value)).toEqual([-0.5, 0.5, 1]);
    expect(cells[0]).toEqual({ row: 'touch', column: '0-5', n: 4, value: -0.5, depth: 1, text: '75 %' });
    expect(rowsOf([...cells, ...cells])).toEqual(['touch', 'range', 'podium']);
  });

  test('cells of fewer than five predictions are paler', () => {
    const cells = heatCells([group('touch', 0.25), { ...group('range', 0.25), n: 5 }]);
    expect(cells.map(({ depth }) => depth)).toEqual([2, 4]);
  });

  test('a map is filled once half of its fields have predictions', () => {
    expect(isFilled([], 5)).toBe(false);
    expect(isFilled([...at('touch', 'a', 'b', 'a'), ...at('range', 'a', 'b')], 5)).toBe(false);
    expect(isFilled([...at('touch', 'a', 'b', 'c'), ...at('range', 'a', 'b')], 5)).toBe(true);
  });
});

test('a standing prediction has no dot and is not in the crowd', () => {
  const question = { start: '2026-01-01T12:00:00.000Z', answer: 'YES', choices: 2 };
  expect(entryDots([entry(3, 100), { ...entry(50), standing: true }], question)).toEqual([{ minute: 3, value: 1 }]);
});

test('the crowd of a minute is the mean of all predictions until then', () => {
  const history = [
    { at: '2026-01-01T12:04:00.000Z', n: 1, shares: shares([1, 80], [0, 0], [0, 0]) },
    { at: '2026-01-01T12:30:00.000Z', n: 4, shares: shares([2, 140], [1, 50], [1, 0]) },
  ];
  const line = minuteLine(history, { start: '2026-01-01T12:00:00.000Z', answer: 'BTC', choices: 3 });
  expect(line.map(({ minute, value }) => [minute, Number(value.toFixed(9))])).toEqual([
    [4, 0.8],
    // 80 and 60 for it, of the 50 for another half of what is left, and half of all that was denied to the third.
    [30, (0.8 + 0.6 + 0.25 + 0.5) / 4],
  ]);
});

function shares(...counts: readonly (readonly [n: number, confidenceSum: number])[]) {
  return counts.map(([n, confidenceSum], index) => ({ answer: ['BTC', 'ETH', 'SOL'][index] ?? '', n, confidenceSum }));
}
