import type { Asset, ByAsset } from '../../../rules/assets.ts';
import { HOUR, MINUTE, SECOND } from '../../../rules/hours.ts';
import { SourceFailure, USUAL_PAUSE_MS } from '../source-failure.ts';
import { type Figures, figuresOf } from '../../figures.ts';

export const SOURCE_NAMES = ['coinbase', 'kraken', 'binance'] as const;

export type SourceName = (typeof SOURCE_NAMES)[number];

export const STEP_MS = { '5m': 5 * MINUTE, '1h': HOUR } as const;

export type Step = keyof typeof STEP_MS;

/** Coinbase refuses more than 300. */
export const MAX_CANDLES = 290;

interface CandleRequest {
  readonly asset: Asset;
  readonly step: Step;
  readonly from: Date;
  readonly to: Date;
}

/** A candle as the exchange wrote it, unchecked. Figures have every digit, and are empty where there is none. */
export interface ShownCandle extends Figures {
  /** Its opening, ms since 1970; NaN for an invalid time. */
  readonly start: number;
}

export interface ShownCandles {
  readonly candles: readonly ShownCandle[];
  /** By the exchange, later candles (ms since 1970) are not final; Infinity if not stated. */
  readonly finalTo: number;
}

interface PriceRequest {
  readonly path: string;
  /** The last prices, unchecked. Throws `SourceFailure` for another body. */
  readonly read: (body: unknown) => Readonly<Partial<Record<Asset, string>>>;
}

export interface ExchangeApi {
  readonly name: SourceName;
  readonly url: string;
  readonly symbols: ByAsset<string>;
  candlesPath(request: CandleRequest): string;
  /** Throws `SourceFailure` for another body, such as an error inside HTTP 200. */
  candlesOf(body: unknown, request: CandleRequest): ShownCandles;
  readonly priceRequests: readonly PriceRequest[];
}

export function otherForm(): SourceFailure {
  return new SourceFailure('refused', 'Its answer did not have the expected form.');
}

/** An HTTP 200 that means 429. */
export function askedTooOften(): SourceFailure {
  const message = `It reports too many requests: they are paused for ${USUAL_PAUSE_MS / SECOND} s.`;
  return new SourceFailure('busy', message, { pauseMs: USUAL_PAUSE_MS });
}

export function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw otherForm();
  return value;
}

export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw otherForm();
  return { ...value };
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Whole units since 1970 as ms; NaN for anything else. */
export function timeOf(value: unknown, unitMs: number = SECOND): number {
  const text = textOf(value);
  return /^\d{1,15}$/.test(text) ? Number(text) * unitMs : Number.NaN;
}

/** `unitMs` is the unit of the opening time. Throws `SourceFailure` if `row` is no list. */
export function candleOf(
  row: unknown,
  columns: Readonly<Record<keyof ShownCandle, number>>,
  unitMs: number = SECOND,
): ShownCandle {
  const cells = listOf(row);
  return { start: timeOf(cells[columns.start], unitMs), ...figuresOf((name) => textOf(cells[columns[name]])) };
}
