import type { ServiceKey } from './reference.ts';

/** What a webhook is sent. */
export interface WebhookMessage {
  /** Such as `round.opened`. */
  readonly type: string;
  readonly timestamp: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A key of the service: one that was replaced more than a day ago verifies nothing. */
type VerifyingKey = Pick<ServiceKey, 'public_key'> & Partial<Pick<ServiceKey, 'retired_at'>>;

/** Headers as a `Request` or a server of Node has them. */
type GivenHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Whose message is expected. */
interface Addressee {
  /** The id of your webhook, as `POST /api/me/webhooks` answered it. */
  readonly webhookId: number;
}

/** How old a message may be, or how far ahead of this machine's clock. */
const TOLERANCE_SECONDS = 300;
/** For so long a key that another has replaced signs beside it. */
const OVERLAP_MS = 24 * 3_600_000;

/**
 * The message of a webhook whose body, the text as it came, is signed by one of the service's keys (`client.serviceKeys()`). Throws
 * where it is not, where it is for another webhook, whose owner may have sent it on, and where it was signed more than 5 minutes ago.
 * A message may come twice: `webhook-id` tells.
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
    const imported = await crypto.subtle.importKey('raw', bytesOf(key.replace('whpk_', '')), 'Ed25519', false, [
      'verify',
    ]);
    for (const one of (signatures ?? '').split(' ')) {
      if (!one.startsWith('v1a,')) continue;
      const isRight = await crypto.subtle.verify('Ed25519', imported, bytesOf(one.slice(4)), content);
      if (isRight) return addressed(JSON.parse(body), webhookId);
    }
  }
  throw new Error('The webhook must be signed by the service.');
}

/** The service signs for all by one key: what is another webhook's is its as well. */
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

function bytesOf(base64: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(base64), (one) => one.charCodeAt(0));
  } catch {
    return new Uint8Array();
  }
}
