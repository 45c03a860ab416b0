const MINUS = '−';
const WHOLE = new Intl.NumberFormat('en');
const CENTS = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** `12,345`. */
export function whole(value: number): string {
  return WHOLE.format(value).replace('-', MINUS);
}

/** `+110`, `−20`, `0`: the sign alone tells gain from loss. */
export function signed(value: number): string {
  return value > 0 ? `+${whole(value)}` : whole(value);
}

/** `+0.042`, `−0.120`, `0.000`. */
export function decimal(value: number): string {
  const text = Math.abs(value).toFixed(3);
  const sign = Number(text) === 0 ? '' : value < 0 ? MINUS : '+';
  return `${sign}${text}`;
}

/** `+$12.50`; zero has no sign. */
export function signedUsd(value: number): string {
  const text = CENTS.format(Math.abs(value));
  const sign = Number(text) === 0 ? '' : value < 0 ? MINUS : '+';
  return `${sign}$${text}`;
}

/** Enough digits to tell prices apart: `64,210.50`, `0.08123`. */
export function price(usd: number): string {
  if (usd >= 100) return CENTS.format(usd);
  return new Intl.NumberFormat('en', { minimumSignificantDigits: 5, maximumSignificantDigits: 5 }).format(usd);
}

/** `62 %` for 0.62. */
export function percent(part: number, digits = 0): string {
  return `${(part * 100).toFixed(digits).replace('-', MINUS)} %`;
}

/** `+0.42 %`; `pct` is in percent. */
export function change(pct: number, digits = 2): string {
  const text = Math.abs(pct).toFixed(digits);
  return `${Number(text) === 0 ? '±' : pct < 0 ? MINUS : '+'}${text} %`;
}

/** UTC: `12:05`. */
export function clockTime(instant: string | number): string {
  return new Date(instant).toISOString().slice(11, 16);
}

const DAY_FORMAT = new Intl.DateTimeFormat('en', { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' });

/** UTC: `Sun, Nov 22`. */
export function day(instant: string | number): string {
  return DAY_FORMAT.format(new Date(instant));
}

/** `42:07`, with hours if there are any; never below zero. */
export function remaining(ms: number): string {
  const seconds = Math.max(0, Math.ceil(ms / 1000));
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return `${hours > 0 ? `${hours}:` : ''}${two(minutes)}:${two(seconds % 60)}`;
}

function two(value: number): string {
  return String(value).padStart(2, '0');
}

/** `:04`, a minute of the hour. */
export function minuteOf(minute: number): string {
  return `:${two(minute)}`;
}

/** Minutes, with fractions. */
export function minutesFrom(start: string, instant: string | number): number {
  return ((typeof instant === 'number' ? instant : Date.parse(instant)) - Date.parse(start)) / 60_000;
}

/** `1 prediction`, `2 predictions`. */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${whole(count)} ${count === 1 ? one : many}`;
}
