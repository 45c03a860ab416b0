import { refused } from './errors.ts';
import { DAY, HOUR, MINUTE, SECOND } from './hours.ts';

/** `disabled` after days of failure, `gone` after an answer 410: both are active again after a replay. */
export const WEBHOOK_STATES = ['active', 'disabled', 'gone'] as const;

export type WebhookState = (typeof WEBHOOK_STATES)[number];

export const MAX_WEBHOOKS = 3;
/** Tries that are kept of each, and the longest address. */
export const KEPT_TRIES = 20;
export const LONGEST_URL = 1_000;

/** How long before a round takes no more answers those are told who have not answered. */
export const UNANSWERED_MS = 15 * MINUTE;

/** Whose addresses the service calls: nobody's, those of the open internet, or any, by http too. */
export const WEBHOOK_REACHES = ['off', 'public', 'any'] as const;

export type WebhookReach = (typeof WEBHOOK_REACHES)[number];

/** Pauses after the failures of one message, as Standard Webhooks has them; the last one again and again. */
const PAUSES = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, DAY];
const JITTER = 0.2;
const LONGEST_FAILURE_MS = 3 * DAY;

export interface FailedTry {
  /** How many have failed before it. */
  readonly before: number;
  /** How long the webhook has failed without a success. */
  readonly failingMs: number;
  readonly status: number | null;
  /** What the answer asked for. */
  readonly askedMs: number | null;
  /** From 0 to 1. */
  readonly random: number;
}

/** What follows from a failure: the state, and how long to wait before the same message is tried again. */
export function afterFailure({ before, failingMs, status, askedMs, random }: FailedTry) {
  const state: WebhookState = status === 410 ? 'gone' : failingMs >= LONGEST_FAILURE_MS ? 'disabled' : 'active';
  const pause = PAUSES[Math.min(before, PAUSES.length - 1)] ?? DAY;
  const jittered = pause * (1 + JITTER * (2 * random - 1));
  return { state, waitMs: Math.round(Math.max(jittered, Math.min(askedMs ?? 0, DAY))) };
}

/** What a `Retry-After` asks for in milliseconds; null where it asks for nothing. */
export function retryAfterMs(header: string | undefined, now: Date): number | null {
  if (header === undefined) return null;
  const ms = /^\d+$/.test(header) ? Number(header) * SECOND : Date.parse(header) - now.getTime();
  return Number.isNaN(ms) ? null : Math.max(0, ms);
}

/** An event's kind as webhooks spell it, such as `round.opened`. */
export function dotted(kind: string): string {
  return kind.toLowerCase().replaceAll('_', '.');
}

/** The kinds without repeats. Throws `BAD_REQUEST` unless each is one of `known`. */
export function checkWebhookKinds(kinds: readonly string[], known: readonly string[]): void {
  const unknown = kinds.find((kind) => !known.includes(kind));
  if (unknown === undefined && kinds.length > 0) return;
  throw refused('kinds', `a list of one or more of ${known.join(', ')}`, unknown ?? kinds);
}

/**
 * The address as it is called. Throws `BAD_REQUEST` for one that `reach` leaves out whatever it leads to; `isRefused` judges
 * addresses that are written as numbers.
 */
export function checkedWebhookUrl(text: string, reach: WebhookReach, isRefused: (address: string) => boolean): URL {
  const url = URL.parse(text);
  if (url !== null && url.username + url.password !== '')
    throw refused('url', 'an address without name and password', `${url.protocol}//...@${url.host}`);
  const scheme = reach === 'any' ? 'https:// or http://' : 'https://';
  const schemes = reach === 'any' ? ['https:', 'http:'] : ['https:'];
  if (url === null || !schemes.includes(url.protocol) || url.href.length > LONGEST_URL)
    throw refused('url', `an address of at most ${LONGEST_URL} characters that begins with ${scheme}`, text);
  if (reach === 'public' && !['', '443', '8443'].includes(url.port))
    throw refused('url', 'an address at port 443 or 8443', url.port);
  if (reach === 'public' && isRefused(url.hostname))
    throw refused('url', 'an address on the open internet', url.hostname);
  return url;
}
