import { LRUCache } from 'lru-cache';

import { byAsset, type Asset } from '../../rules/assets.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../rules/hours.ts';
import type { Figures } from '../figures.ts';
import { singleSource } from '../single-source.ts';
import type { Market, PriceSoFar, Quote, Quotes } from '../market.ts';
import { minuteVolume, priceText, simulatedPrice, volumeText } from './simulated-prices.ts';

const KEPT_HOURS = 4096;

interface Span {
  readonly high: number;
  readonly low: number;
  readonly volume: number;
}

type HourSpan = (asset: Asset, hourStart: number) => Span;

/** Prices for use without a network: functions of asset and time alone, equal in every process and test. */
export function simulatedMarket(): Market {
  const hourSpan = keptHours();
  const quotes = secondlyQuotes(hourSpan);
  return singleSource({
    source: 'simulated',
    warning: 'Prices are simulated, not real: they come from a formula and follow no exchange.',
    hourAt: (asset, start) => hourCandle(asset, start, hourSpan(asset, start)),
    pricesAlong,
    quotes: (now) => quotes(Math.floor(now.getTime() / SECOND) * SECOND),
  });
}

function hourCandle(asset: Asset, start: number, span: Span): Figures {
  const text = (price: number): string => priceText(asset, price);
  return {
    open: text(simulatedPrice(asset, start)),
    high: text(span.high),
    low: text(span.low),
    close: text(simulatedPrice(asset, start + HOUR)),
    volume: volumeText(span.volume),
  };
}

/** High and low are those of whole minutes, as in the hour's candle: a reference must not rely on what the candle does not show. */
function pricesAlong(asset: Asset, start: number): (time: number) => PriceSoFar {
  const first = simulatedPrice(asset, start);
  const minutes = [{ high: first, low: first }];
  return (time) => {
    const minute = Math.floor((time - start) / MINUTE);
    for (let last = minutes.at(-1); last !== undefined && minutes.length <= minute; last = minutes.at(-1)) {
      const price = simulatedPrice(asset, start + minutes.length * MINUTE);
      minutes.push({ high: Math.max(last.high, price), low: Math.min(last.low, price) });
    }
    const { high, low } = minutes[minute] ?? { high: first, low: first };
    const number = (price: number): number => Number(priceText(asset, price));
    return { price: number(simulatedPrice(asset, time)), high: number(high), low: number(low) };
  };
}

function secondlyQuotes(hourSpan: HourSpan): (second: number) => Quotes {
  let kept: Quotes | null = null;
  return (second) => {
    if (kept?.at.getTime() !== second) {
      kept = { at: new Date(second), stale: false, assets: byAsset((asset) => quote(asset, second, hourSpan)) };
    }
    return kept;
  };
}

function quote(asset: Asset, now: number, hourSpan: HourSpan): Quote {
  const price = simulatedPrice(asset, now);
  const day = spanOfDay(asset, now, hourSpan);
  return {
    priceUsd: priceText(asset, price),
    change1hPct: (price / simulatedPrice(asset, now - HOUR) - 1) * 100,
    change24hPct: (price / simulatedPrice(asset, now - DAY) - 1) * 100,
    high24h: priceText(asset, Math.max(day.high, price)),
    low24h: priceText(asset, Math.min(day.low, price)),
    volume24h: volumeText(day.volume),
  };
}

function spanOfDay(asset: Asset, now: number, hourSpan: HourSpan): Span {
  const to = Math.floor(now / MINUTE) * MINUTE;
  const firstHour = Math.ceil((to - DAY) / HOUR) * HOUR;
  const lastHour = Math.floor(to / HOUR) * HOUR;
  const spans = [spanOf(asset, to - DAY, firstHour), spanOf(asset, lastHour, to)];
  for (let hour = firstHour; hour < lastHour; hour += HOUR) spans.push(hourSpan(asset, hour));
  return spans.reduce((one, other) => ({
    high: Math.max(one.high, other.high),
    low: Math.min(one.low, other.low),
    volume: one.volume + other.volume,
  }));
}

function spanOf(asset: Asset, from: number, to: number): Span {
  let high = -Infinity;
  let low = Infinity;
  let volume = 0;
  for (let time = from; time <= to; time += MINUTE) {
    const price = simulatedPrice(asset, time);
    high = Math.max(high, price);
    low = Math.min(low, price);
    if (time < to) volume += minuteVolume(asset, time);
  }
  return { high, low, volume };
}

function keptHours(): HourSpan {
  const kept = new LRUCache<string, Span>({ max: KEPT_HOURS });
  return (asset, hourStart) => {
    const key = `${asset} ${hourStart}`;
    const span = kept.get(key) ?? spanOf(asset, hourStart, hourStart + HOUR);
    kept.set(key, span);
    return span;
  };
}
