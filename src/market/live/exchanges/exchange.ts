import type { Asset, ByAsset } from '../../../rules/assets.ts';
import { HOUR, MINUTE, SECOND } from '../../../rules/hours.ts';
import { SourceFailure, USUAL_PAUSE_MS } from '../source-failure.ts';
import { type Figures, figuresOf } from '../../figures.ts';

/** The exchanges that can be asked, in the order in which they are unless a setting says otherwise. */
export const SOURCE_NAMES = ['coinbase', 'kraken', 'binance'] as const;

export type SourceName = (typeof SOURCE_NAMES)[number];

/** The steps of candles that are asked for. */
export const STEP_MS = { '5m': 5 * MINUTE, '1h': HOUR } as const;

export type Step = keyof typeof STEP_MS;

/** More candles than these are not asked for at once: Coinbase refuses more than 300. */
export const MAX_CANDLES = 290;

/** Candles of one asset that open from `from` to before `to`, at most `MAX_CANDLES` of them. */
export interface CandleRequest {
  readonly asset: Asset;
  readonly step: Step;
  readonly from: Date;
  readonly to: Date;
}

/** A candle as the exchange wrote it: nothing is checked yet. Figures have every digit, and are empty where there is none. */
export interface ShownCandle extends Figures {
  /** Its opening, ms since 1970; NaN when what stands there is no time of a candle of the step. */
  readonly start: number;
}

export interface ShownCandles {
  readonly candles: readonly ShownCandle[];
  /** The exchange itself says that candles opening later than this (ms since 1970) are not final; Infinity: it says nothing. */
  readonly finalTo: number;
}

export interface PriceRequest {
  readonly path: string;
  /** The last price of each asset, unchecked. Throws `SourceFailure` when the body is something else. */
  readonly read: (body: unknown) => Readonly<Partial<Record<Asset, string>>>;
}

/** What one exchange's public API looks like: addresses and forms alone, nothing is fetched here. Bodies have numbers as text. */
export interface ExchangeApi {
  readonly name: SourceName;
  readonly url: string;
  readonly symbols: ByAsset<string>;
  candlesPath(request: CandleRequest): string;
  /** Throws `SourceFailure` when the body is something else, such as an error inside HTTP 200. */
  candlesOf(body: unknown, request: CandleRequest): ShownCandles;
  readonly priceRequests: readonly PriceRequest[];
}

/** The body is well-formed JSON but not what was asked for, such as an error inside HTTP 200. */
export function otherForm(): SourceFailure {
  return new SourceFailure('refused', 'It answered something else than what was asked.');
}

/** The body says, with HTTP 200, what HTTP 429 is for. */
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

/** A figure as it stands there; numbers come as text already. Empty for anything else. */
export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** Whole units since 1970 as ms; NaN for anything else. */
export function timeOf(value: unknown, unitMs: number = SECOND): number {
  const text = textOf(value);
  return /^\d{1,15}$/.test(text) ? Number(text) * unitMs : Number.NaN;
}

/** In which place of a row an exchange writes the opening time and each figure of a candle. */
type CandleColumns = Readonly<Record<'start' | keyof Figures, number>>;

/** The candle of a row, whose opening time counts units of `unitMs` since 1970. Throws `SourceFailure` when it is no row. */
export function candleOf(row: unknown, columns: CandleColumns, unitMs: number = SECOND): ShownCandle {
  const cells = listOf(row);
  return { start: timeOf(cells[columns.start], unitMs), ...figuresOf((name) => textOf(cells[columns[name]])) };
}
