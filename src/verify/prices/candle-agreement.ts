import { FIGURES, type Figures, figuresFault, figuresOf } from '../../market/figures.ts';
import { agree } from '../../market/live/agreement.ts';
import { type Asset, ASSETS } from '../../rules/assets.ts';
import { parseDecimal, toDecimal } from '../../rules/fraction.ts';
import { addHours } from '../../rules/hours.ts';
import { candlesNeeded } from '../../rules/questions/deciding.ts';
import type { HistoryHour } from '../../rules/questions/question.ts';
import type { Findings } from '../findings.ts';
import type { ReadRound } from '../published/history.ts';
import type { EvidenceCandle } from '../published/round-details.ts';
import type { RecomputedRound } from './round-references.ts';

export type CandleAgreement = ReturnType<typeof checkAgreement>;

type SoundCandle = EvidenceCandle & Figures;

export function checkAgreement(read: RecomputedRound, findings: Findings) {
  const { round, details } = read;
  const sources = round.source.startsWith('replay:') ? [round.source] : round.source.split('+');
  const min = Math.min(2, sources.length);
  const needed = hoursNeeded(read);
  const byName = Map.groupBy(details.evidence, ({ symbol, hourStart }) => nameOf(symbol, hourStart));
  const expected = new Map<string, Figures>();
  /** Some hour has enough sources with sound candles, but no agreed one. */
  let mayDisagree = false;
  findings.order(
    `round ${round.id}, evidence`,
    [...byName.keys()].toSorted(),
    needed.map(({ name }) => name).toSorted(),
  );
  for (const { name } of needed) {
    const shown = byName.get(name) ?? [];
    const place = `round ${round.id}, evidence of ${name}`;
    findings.order(place, shown.map(({ source }) => source).toSorted(), sources.toSorted());
    const figures = agreedOf(shown, min, { place, findings });
    if (figures !== null) expected.set(name, figures);
    else mayDisagree ||= shown.filter(isSound).length >= min;
  }
  compareAgreed(read, expected, findings);
  const inHour = (hour: Date) => candlesIn(ASSETS, (asset) => expected.get(nameOf(asset, hour)) ?? null);
  return { candles: inHour(round.start_time), before: inHour(addHours(round.start_time, -1)), mayDisagree };
}

export function hoursNeeded({ round: { start_time: start }, question }: RecomputedRound) {
  const { assets, hourBefore } = candlesNeeded(question);
  const hours = hourBefore ? [addHours(start, -1), start] : [start];
  return assets.flatMap((asset) => hours.map((hour) => ({ asset, hour, name: nameOf(asset, hour) })));
}

/** The candles of an hour; assets without one are left out. */
export function candlesIn(assets: readonly Asset[], candleOf: (asset: Asset) => Figures | null): HistoryHour {
  return Object.fromEntries(
    assets.flatMap((asset) => {
      const candle = candleOf(asset);
      return candle === null ? [] : [[asset, candle]];
    }),
  );
}

export function nameOf(asset: Asset, hour: Date): string {
  return `${asset} at ${hour.toISOString()}`;
}

/** Without needless zeros, so that equal decimals are equal texts; other text is unchanged. */
function plainDecimal(text: string): string {
  return /^[-+]?\d+(?:\.\d+)?$/.test(text) ? toDecimal(parseDecimal(text)) : text;
}

/** The median of the counted sources; null without any, or if they do not all agree. */
function agreedOf(
  shown: readonly EvidenceCandle[],
  min: number,
  { place, findings }: { readonly place: string; readonly findings: Findings },
): Figures | null {
  const counted = shown.filter((candle) => candle.counted);
  for (const candle of shown) {
    const name = `${place} from ${candle.source}`;
    findings.values(name, { has_reason: candle.leftOut !== null }, { has_reason: !candle.counted });
    if (candle.counted) findings.holds(name, { is_sound: isSound(candle) });
  }
  const agreement = agree(counted.filter(isSound), min);
  const agreed = agreement.kind === 'agreed' && agreement.members.length === counted.length;
  for (const candle of agreed ? shown.filter((one) => !one.counted) : []) {
    const wider = agree([...counted, candle].filter(isSound), min);
    if (isSound(candle) && wider.kind === 'agreed' && wider.members.some(({ source }) => source === candle.source)) {
      findings.note(
        `${place} from ${candle.source}: its figures agree, and it was left out because: ${candle.leftOut}`,
      );
    }
  }
  return agreed ? agreement.figures : null;
}

function compareAgreed(
  { round, details }: ReadRound,
  expected: ReadonlyMap<string, Figures>,
  findings: Findings,
): void {
  const shown = new Map(details.agreedCandles.map((candle) => [nameOf(candle.symbol, candle.hourStart), candle]));
  findings.order(`round ${round.id}, agreed candles`, [...shown.keys()].toSorted(), [...expected.keys()].toSorted());
  for (const [name, figures] of expected) {
    const candle = shown.get(name);
    if (candle === undefined) continue;
    findings.values(`round ${round.id}, agreed candle of ${name}`, plainFigures(candle), plainFigures(figures));
  }
}

export function plainFigures(figures: Figures): Readonly<Record<keyof Figures, string>> {
  return figuresOf((name) => plainDecimal(figures[name]));
}

function isSound(candle: EvidenceCandle): candle is SoundCandle {
  return hasFigures(candle) && figuresFault(candle) === null;
}

function hasFigures(candle: EvidenceCandle): candle is SoundCandle {
  return FIGURES.every((name) => candle[name] !== null);
}
