import { expect, test } from '@jest/globals';

import { checkAgreement } from '../../../src/verify/prices/candle-agreement.ts';
import { newFindings } from '../../../src/verify/findings.ts';
import type { EvidenceCandle } from '../../../src/verify/published/round-details.ts';
import { roundWith, START } from '../hand-made.ts';

const NAME = 'BTC at 2026-01-01T10:00:00.000Z';

const CANDLE = {
  symbol: 'BTC',
  hourStart: START,
  open: '100',
  high: '110',
  low: '90',
  volume: '5',
  bodyHash: null,
} as const;

function candle(source: string, close: string, leftOut: string | null = null): EvidenceCandle {
  return { ...CANDLE, source, close, counted: leftOut === null, leftOut };
}

function found(evidence: readonly EvidenceCandle[], close: string | null) {
  const findings = newFindings();
  const agreedCandles = close === null ? [] : [{ ...CANDLE, close }];
  const agreed = checkAgreement(roundWith({ agreedCandles, evidence: [...evidence] }), findings);
  return { agreed, differences: findings.differences, notes: findings.notes };
}

const AWAY = 'It differs by more than 0.5 % from the agreeing sources.';

test('the median of three counted sources is the agreed candle', () => {
  const evidence = [candle('coinbase', '101'), candle('kraken', '101.20'), candle('binance', '101.4')];
  const { agreed, differences, notes } = found(evidence, '101.2');
  expect({ differences, notes }).toEqual({ differences: [], notes: [] });
  expect(agreed.candles.BTC).toMatchObject({ close: '101.20' });
});

test('a distant source may be left out', () => {
  const evidence = [candle('coinbase', '101'), candle('kraken', '101.2'), candle('binance', '105', AWAY)];
  expect(found(evidence, '101.1')).toMatchObject({ differences: [], notes: [] });
});

test('a distant source that counts is a difference', () => {
  const evidence = [candle('coinbase', '101'), candle('kraken', '101.2'), candle('binance', '105')];
  expect(found(evidence, '101.2').differences).toEqual([
    { place: 'round 7, agreed candles', name: NAME, published: 'listed', recomputed: 'missing' },
  ]);
});

test('a source left out despite agreeing figures is listed with its reason', () => {
  const late = 'It shows no later candle yet, so this one may not be final.';
  const evidence = [candle('coinbase', '101'), candle('kraken', '101.2'), candle('binance', '101.1', late)];
  const { differences, notes } = found(evidence, '101.1');
  expect(differences).toEqual([]);
  expect(notes).toEqual([
    expect.stringMatching(/from binance: its figures agree, .+ because: It shows no later candle/),
  ]);
});

test('another figure than the median is a difference', () => {
  const evidence = [candle('coinbase', '101'), candle('kraken', '101.2'), candle('binance', '105', AWAY)];
  expect(found(evidence, '101.2').differences).toEqual([
    { place: `round 7, agreed candle of ${NAME}`, name: 'close', published: '101.2', recomputed: '101.1' },
  ]);
});

test('a source without evidence is a difference', () => {
  const evidence = [candle('coinbase', '101'), candle('kraken', '101.2')];
  expect(found(evidence, '101.1').differences).toEqual([
    { place: `round 7, evidence of ${NAME}`, name: 'binance', published: 'missing', recomputed: 'listed' },
  ]);
});

test('a counted candle with impossible figures is a difference', () => {
  const evidence = [candle('coinbase', '101'), candle('kraken', '111'), candle('binance', '101', AWAY)];
  const place = `round 7, evidence of ${NAME} from kraken`;
  expect(found(evidence, null).differences).toEqual([{ place, name: 'is_sound', published: false, recomputed: true }]);
});
