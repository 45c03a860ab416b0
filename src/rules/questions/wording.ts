import type { Asset } from '../assets.ts';
import { addHours } from '../hours.ts';
import type { Question } from './question.ts';

export interface Wording extends Pick<Question, 'assets' | 'params'> {
  readonly hourStart: Date;
}

export function span(hourStart: Date): string {
  return `from ${minute(hourStart)} to ${minute(addHours(hourStart, 1))}`;
}

export function during({ hourStart }: Wording): string {
  return span(hourStart);
}

export function hourBefore({ hourStart }: Wording): string {
  return span(addHours(hourStart, -1));
}

export function allOf(assets: readonly Asset[]): string {
  return assetList(assets, 'and');
}

export function anyOf(assets: readonly Asset[]): string {
  return assetList(assets, 'or');
}

export function subject({ params }: Wording): string {
  return stated(params.subject, 'subject');
}

export function signedLevel({ params }: Wording): string {
  const threshold = stated(params.thresholdPct, 'threshold');
  return threshold.startsWith('-') ? `${threshold} %` : `+${threshold} %`;
}

export function level({ params }: Wording): string {
  return `${stated(params.thresholdPct, 'threshold').replace('-', '')} %`;
}

export function count({ params }: Wording): string {
  return String(stated(params.n, 'n'));
}

export function stated<T>(value: T | null, what: string): T {
  if (value === null) throw new TypeError(`The params of this question must have ${what} (got none)`);
  return value;
}

function assetList(assets: readonly Asset[], conjunction: string): string {
  return `${assets.slice(0, -1).join(', ')} ${conjunction} ${assets.slice(-1).join('')}`;
}

function minute(time: Date): string {
  return `${time.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
}
