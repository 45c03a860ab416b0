import type { Client } from '../../client.ts';
import { failureOf } from '../../connection.ts';
import type { Check } from './check.ts';

/** Events to request again. */
const AGAIN = 5;
const TIMEOUT_MS = 15_000;

/** Opens the feed, and again a few events earlier: it must return each of them, in order. Throws for a silent feed. */
export async function checkFeed(client: Client, signal: AbortSignal): Promise<Check> {
  const ending = AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]);
  const last = await newestSeq(client, ending);
  signal.throwIfAborted();
  if (last === null) throw failureOf(ending.reason, { url: client.url, timeoutMs: TIMEOUT_MS });
  const first = Math.max(last - AGAIN, 0) + 1;
  const seqs: number[] = [];
  if (last > 0) {
    for await (const { seq } of client.events({ after: first - 1, signal: ending, patienceMs: 0 })) {
      seqs.push(seq);
      if (seq >= last) break;
    }
  }
  signal.throwIfAborted();
  // After a restore earlier numbers are missing: the last events come without a gap.
  const oldest = last - seqs.length + 1;
  const isWhole = seqs.length > 0 && seqs.every((seq, at) => seq === oldest + at);
  if (last === 0) return { name: 'feed', state: 'ok', detail: 'is open; it has no event yet' };
  return isWhole
    ? { name: 'feed', state: 'ok', detail: `resumes: events ${oldest} to ${last} came again, each one once` }
    : { name: 'feed', state: 'failed', detail: `of events ${first} to ${last} came ${seqs.join(', ') || 'none'}` };
}

/** A heartbeat comes first, with the seq of the last event; null if the signal is aborted before. */
async function newestSeq(client: Client, signal: AbortSignal): Promise<number | null> {
  for await (const { seq } of client.events({ heartbeats: true, signal, patienceMs: 0 })) return seq;
  return null;
}
