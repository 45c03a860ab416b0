import type { Bus } from '../backplane/backplane.ts';
import { type Clock, realNow, steadyMs } from '../clock.ts';
import { retryAfterMs, SECOND } from '../rules/hours.ts';
import { afterFailure } from '../rules/webhooks.ts';
import type { Signer } from '../transparency/service-keys.ts';
import { call, type CallResult, type CallSettings } from './call.ts';
import type { ClaimedWebhook, Try, TryOutcome } from './claims.ts';
import { type Message, type NextMessage, type Reader, testMessage } from './messages.ts';

export interface SendingDeps extends CallSettings {
  readonly next: (reader: Reader) => Promise<NextMessage>;
  /** False if another worker has claimed the webhook. */
  readonly record: (made: Try) => Promise<boolean>;
  readonly giveBack: (claimed: ClaimedWebhook) => Promise<void>;
  readonly clock: Clock;
  readonly bus: Pick<Bus, 'nudge'>;
  readonly randomBytes: (count: number) => Buffer;
  /** The duration from which a try is slow; default: `SLOW_MS`. */
  readonly slowMs?: number | undefined;
  /** Aborted at a stop; aborted calls do not count as failures. */
  readonly signal: AbortSignal;
}

/** The maximum of messages before other webhooks have their turn. */
const MESSAGES_IN_A_ROW = 20;
/** The duration from which one try, or a series of messages, is slow. */
const SLOW_MS = 2 * SECOND;

/** Sends due messages in order until none is left or one fails; a slow webhook gets one message. */
export async function deliver(deps: SendingDeps, claimed: ClaimedWebhook, signers: readonly Signer[]): Promise<void> {
  const { clock, signal, slowMs = SLOW_MS } = deps;
  const began = steadyMs();
  const most = claimed.slow ? 1 : MESSAGES_IN_A_ROW;
  let present = claimed;
  let sent = 0;
  if (claimed.testsSent < claimed.testsAsked) {
    const isOurs = await sendAndRecord(deps, claimed, { message: testMessage(claimed, clock.now()), signers });
    if (!isOurs && !signal.aborted) return;
    sent = 1;
  }
  for (; claimed.isDue && sent < most && !signal.aborted; sent += 1) {
    const { message, last } = await deps.next(present);
    const isDone = message === null || (await sendAndRecord(deps, present, { message, signers }));
    if (signal.aborted) break;
    // A failure has released it; a lost claim needs no release.
    if (!isDone) return;
    // A failure after a success is a first failure.
    present = { ...present, cursor: message?.seq ?? last, failures: 0, failingMs: 0 };
    if (message === null || steadyMs() - began > slowMs) break;
  }
  await deps.giveBack(present);
}

/** Sends and records a message. False if an event failed, the claim was lost, or the service stops. */
async function sendAndRecord(
  deps: SendingDeps,
  claimed: ClaimedWebhook,
  { message, signers }: { readonly message: Message; readonly signers: readonly Signer[] },
): Promise<boolean> {
  const { bus, signal, slowMs = SLOW_MS } = deps;
  const at = realNow();
  const began = steadyMs();
  const { id, body } = message;
  const seconds = Math.floor(at.getTime() / SECOND);
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Hourcast-Webhooks',
    'webhook-id': id,
    'webhook-timestamp': String(seconds),
    'webhook-signature': signers.map((sign) => `v1a,${sign(`${id}.${seconds}.${body}`)}`).join(' '),
  };
  const called = await call({ url: claimed.url, headers, body }, deps, signal);
  if (signal.aborted) return false;
  const became = outcomeOf(called, { at, claimed, message }, deps.randomBytes);
  const durationMs = Math.round(steadyMs() - began);
  const slow = called.error !== null || durationMs > slowMs;
  const isOurs = await deps.record({ ...called, message, at, durationMs, slow, claimed, became });
  if (became.outcome === 'failed' && became.state !== 'active') bus.nudge();
  return isOurs && became.outcome !== 'failed';
}

function outcomeOf(
  { status, error, retryAfter }: CallResult,
  { at, claimed, message }: Pick<Try, 'at' | 'claimed' | 'message'>,
  randomBytes: SendingDeps['randomBytes'],
): TryOutcome {
  // A failed test message blocks no event.
  if (message.seq === null) return { outcome: 'tested' };
  if (error === null) return { outcome: 'taken' };
  const random = randomBytes(4).readUInt32BE() / 2 ** 32;
  const askedMs = retryAfterMs(retryAfter, at);
  return { outcome: 'failed', ...afterFailure({ ...claimed, before: claimed.failures, status, askedMs, random }) };
}
