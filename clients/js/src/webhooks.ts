import type { ServiceKey } from './reference.ts';
import { bytesOf, isSigned } from './signatures.ts';

/** A webhook's message. */
export interface WebhookMessage {
  /** Such as `round.opened`. */
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A key that was replaced more than a day ago verifies nothing. */
type VerifyingKey = Pick<ServiceKey, 'public_key'> & Partial<Pick<ServiceKey, 'retired_at'>>;

/** Headers of a `Request` or of a Node server. */
type GivenHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The expected recipient. */
interface Addressee {
  /** Your webhook's id, from `POST /api/me/webhooks`. */
  readonly webhookId: number;
}

/** The maximum age of a message, or lead over this machine's clock. */
const TOLERANCE_SECONDS = 300;
/** A replaced key signs beside its successor for this time. */
const OVERLAP_MS = 24 * 3_600_000;

/**
 * Returns the message if its body, exactly as received, is signed by one of the service's keys (`client.serviceKeys()`). Throws
 * for an invalid signature, for another webhook's message, which its owner may have forwarded, and after 5 minutes. A message may
 * come twice, with the same `webhook-id`.
 */
export async function verify(
  body: string,
  headers: GivenHeaders,
  keys: readonly VerifyingKey[],
  { webhookId }: Addressee,
): Promise<WebhookMessage> {
  const [id, timestamp, signatures] = ['id', 'timestamp', 'signature'].map((name) =>
    header(headers, `webhook-${name}`),
  );
  const age = Math.abs(Date.now() / 1000 - Number(timestamp || Number.NaN));
  if (!(age <= TOLERANCE_SECONDS)) throw new Error('The webhook must be signed within the last 5 minutes.');
  const content = new TextEncoder().encode(`${id}.${timestamp}.${body}`);
  for (const { public_key: key, retired_at: retiredAt } of keys) {
    if (retiredAt != null && !(Date.parse(retiredAt) > Date.now() - OVERLAP_MS)) continue;
    for (const one of (signatures ?? '').split(' ')) {
      if (!one.startsWith('v1a,')) continue;
      const isRight = await isSigned(bytesOf(key.replace('whpk_', '')), content, bytesOf(one.slice(4)));
      if (isRight) return addressed(JSON.parse(body), webhookId);
    }
  }
  throw new Error('The webhook must be signed by the service.');
}

/** All webhooks share the service's key, so another webhook's message has a valid signature too. */
function addressed(message: WebhookMessage, webhookId: number): WebhookMessage {
  const given = message.data['webhook_id'];
  if (given === webhookId) return message;
  throw new Error(`The message must be for webhook ${webhookId} (it is for ${String(given)}).`);
}

function header(headers: GivenHeaders, name: string): string {
  const given = headers instanceof Headers ? headers : Object.entries(headers);
  const [, value] = [...given].find(([one]) => one.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : '';
}
