import type { Client } from '../client.ts';
import type { CandlesExportRow, QuotesExportRow, ReferencesExportRow, RoundsExportRow } from '../reference.ts';
import {
  addHours,
  type Asset,
  byAsset,
  COVARIANCE_HOURS,
  GRID_MS,
  gridPointAt,
  type GridQuote,
  HOUR,
  isAsset,
  type Outcome,
  planOf,
  type Question,
  questionOf,
  RULES_VERSIONS,
  RULES_VERSION,
} from '../rules.ts';
import type { HourCandle, Past, PastRound, Shown, Span } from './past.ts';

export interface ExportedOptions extends Partial<Span> {
  /** Prices of later minutes of each hour are dropped. */
  readonly untilMinute?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Called with the name of the current list. */
  readonly onList?: ((name: string) => void) | undefined;
}

/** Exports of past rounds. */
interface Exported {
  readonly rounds: readonly RoundsExportRow[];
  /** Ids, by the start of the hour in milliseconds since 1970. */
  readonly ids: ReadonlyMap<number, number>;
  readonly bases: ReadonlyMap<number, ReferencesExportRow>;
  /** By round and point. */
  readonly quotes: ReadonlyMap<number, ReadonlyMap<number, QuotesExportRow>>;
  readonly candles: ReadonlyMap<string, readonly HourCandle[]>;
}

/** A service's rounds as it asked and decided them, with its stored prices. */
export async function exportedRounds(client: Pick<Client, 'export'>, options: ExportedOptions = {}): Promise<Past> {
  const exported = await read(client, options);
  return {
    count: exported.rounds.length,
    async *rounds() {
      for (const row of exported.rounds) yield roundOf(row, exported);
    },
  };
}

/** One list after the other: the service allows one export at a time for an address. */
async function read(client: Pick<Client, 'export'>, options: ExportedOptions): Promise<Exported> {
  const { from, to, untilMinute = 60, signal, onList } = options;
  const span = { from: from?.toISOString(), to: to?.toISOString() };
  const status = 'resolved,void';
  onList?.('rounds');
  const rounds: RoundsExportRow[] = [];
  for await (const row of client.export('rounds', { ...span, status }, { signal })) rounds.push(row);
  onList?.('references');
  const bases = new Map<number, ReferencesExportRow>();
  for await (const row of client.export('references', { ...span, status }, { signal })) bases.set(row.round_id, row);
  onList?.('candles');
  const candles = new Map<string, HourCandle[]>();
  for await (const row of client.export('candles', { ...span, status }, { signal })) addCandle(candles, row);
  onList?.('quotes');
  const quotes = new Map<number, Map<number, QuotesExportRow>>();
  for await (const row of client.export('quotes', { ...span, status }, { signal })) {
    if (row.point * GRID_MS > untilMinute * 60_000) continue;
    const ofRound = quotes.get(row.round_id) ?? new Map<number, QuotesExportRow>();
    quotes.set(row.round_id, ofRound.set(row.point, row));
  }
  const ids = new Map(rounds.map((row) => [startOf(row).getTime(), row.id]));
  return { rounds, ids, bases, quotes, candles };
}

function addCandle(candles: Map<string, HourCandle[]>, row: CandlesExportRow): void {
  const own = candles.get(row.asset) ?? [];
  const hourStart = new Date(row.hour_start);
  const [open, high, low, close] = [row.open, row.high, row.low, row.close].map(String);
  // It comes with its round, and again as the hour before the next one.
  const isKnown = own.slice(-2).some((one) => one.hourStart.getTime() === hourStart.getTime());
  if (!isKnown) own.push({ hourStart, open: open ?? '', high: high ?? '', low: low ?? '', close: close ?? '' });
  candles.set(row.asset, own);
}

function startOf({ start_time: start }: RoundsExportRow): Date {
  return new Date(`${start?.replace(' ', 'T')}Z`);
}

function roundOf(row: RoundsExportRow, { ids, bases, quotes, candles }: Exported): PastRound {
  const hourStart = startOf(row);
  const basis = bases.get(row.id);
  const own = quotes.get(row.id);
  const week = addHours(hourStart, -COVARIANCE_HOURS);
  return {
    id: row.id,
    hourStart,
    question: questionIn(row, hourStart),
    rulesVersion: RULES_VERSIONS.find((version) => version === row.rules_version) ?? RULES_VERSION,
    outcome: outcomeIn(row),
    basis: basis === undefined ? null : { covariance: basis.covariance, signBefore: signIn(basis) },
    candles: byAsset((asset) =>
      (candles.get(asset) ?? []).filter(({ hourStart: start }) => start >= week && start < hourStart),
    ),
    quoteAt: (point) => gridQuote(own?.get(point)),
    shownAt(asset, time) {
      const start = new Date(Math.floor(time.getTime() / HOUR) * HOUR);
      const id = ids.get(start.getTime());
      return id === undefined ? null : shownIn(quotes.get(id), asset, gridPointAt(start, time));
    },
  };
}

function questionIn(row: RoundsExportRow, hourStart: Date): Question {
  const plan = planOf(hourStart);
  const usual = questionOf(plan, hourStart, []);
  const { threshold_pct: threshold, n } = row;
  return {
    ...usual,
    question: row.question ?? usual.question,
    params: { ...usual.params, thresholdPct: threshold === null ? null : String(threshold), n: n ?? null },
  };
}

function outcomeIn({ outcome, void_reason: reason }: RoundsExportRow): Outcome {
  if (outcome !== null) return { kind: 'answer', answer: outcome };
  return { kind: 'void', reason: reason === 'tie' ? 'tie' : 'no_prices' };
}

function signIn({ sign_before: sign }: ReferencesExportRow): -1 | 0 | 1 | null {
  return sign === -1 || sign === 0 || sign === 1 ? sign : null;
}

function gridQuote(row: QuotesExportRow | undefined): GridQuote | null {
  return row === undefined ? null : { point: row.point, prices: row.prices, highs: row.highs, lows: row.lows };
}

/** The newest until a point. */
function shownIn(quotes: ReadonlyMap<number, QuotesExportRow> | undefined, asset: Asset, point: number): Shown | null {
  for (let at = point; at >= 0; at -= 1) {
    const row = quotes?.get(at);
    const place = row?.assets.filter(isAsset).indexOf(asset) ?? -1;
    const [price, high, low] = [row?.prices[place], row?.highs[place], row?.lows[place]];
    if (price !== undefined && high !== undefined && low !== undefined) return { price, high, low };
  }
  return null;
}
