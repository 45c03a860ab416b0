import { refused } from './errors.ts';
import { DAY, HOUR, MINUTE, SECOND } from './hours.ts';

/** `disabled` after days of failure, `gone` after a 410; a replay makes both active again. */
export const WEBHOOK_STATES = ['active', 'disabled', 'gone'] as const;

export type WebhookState = (typeof WEBHOOK_STATES)[number];

export const MAX_WEBHOOKS = 3;
export const KEPT_TRIES = 20;
export const LONGEST_URL = 1_000;

/** Agents that have not answered are notified this long before the lock. */
export const UNANSWERED_MS = 15 * MINUTE;

export const WEBHOOK_REACHES = ['off', 'public', 'any'] as const;

export type WebhookReach = (typeof WEBHOOK_REACHES)[number];

/** Delays after the failures of one message (Standard Webhooks); the last one repeats. */
const PAUSES = [5 * SECOND, 5 * MINUTE, 30 * MINUTE, 2 * HOUR, 5 * HOUR, 10 * HOUR, 14 * HOUR, 20 * HOUR, DAY];
const JITTER = 0.2;
const LONGEST_FAILURE_MS = 3 * DAY;

interface FailedTry {
  readonly before: number;
  readonly failingMs: number;
  readonly status: number | null;
  readonly askedMs: number | null;
  /** From 0 to 1. */
  readonly random: number;
}

export function afterFailure({ before, failingMs, status, askedMs, random }: FailedTry) {
  const state: WebhookState = status === 410 ? 'gone' : failingMs >= LONGEST_FAILURE_MS ? 'disabled' : 'active';
  const pause = PAUSES[Math.min(before, PAUSES.length - 1)] ?? DAY;
  const jittered = pause * (1 + JITTER * (2 * random - 1));
  return { state, waitMs: Math.round(Math.max(jittered, Math.min(askedMs ?? 0, DAY))) };
}

export function dotted(kind: string): string {
  return kind.toLowerCase().replaceAll('_', '.');
}

/** Throws `BAD_REQUEST` unless each kind is one of `known`. */
export function checkWebhookKinds(kinds: readonly string[], known: readonly string[]): void {
  const unknown = kinds.find((kind) => !known.includes(kind));
  if (unknown === undefined && kinds.length > 0) return;
  throw refused('kinds', `a list of one or more of ${known.join(', ')}`, unknown ?? kinds);
}

/** Throws `BAD_REQUEST` for an address outside `reach`; `isRefused` judges hosts that are IP addresses. */
export function checkedWebhookUrl(text: string, reach: WebhookReach, isRefused: (address: string) => boolean): URL {
  const url = URL.parse(text);
  if (url !== null && url.username + url.password !== '')
    throw refused('url', 'an address without name and password', `${url.protocol}//...@${url.host}`);
  const scheme = reach === 'any' ? 'https:// or http://' : 'https://';
  const schemes = reach === 'any' ? ['https:', 'http:'] : ['https:'];
  if (url === null || !schemes.includes(url.protocol) || url.href.length > LONGEST_URL)
    throw refused('url', `an address of at most ${LONGEST_URL} characters that begins with ${scheme}`, text);
  if (reach === 'public' && !['', '443', '8443'].includes(url.port))
    throw refused('url', 'an address on port 443 or 8443', url.port);
  if (reach === 'public' && isRefused(url.hostname))
    throw refused('url', 'an address on the public internet', url.hostname);
  return url;
}
