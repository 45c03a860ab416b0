import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';

import { beforeDeadline, DeadlineExceeded, withDeadline } from '../deadline.ts';
import { DomainError } from '../rules/errors.ts';
import { SECOND } from '../rules/hours.ts';
import { checkedWebhookUrl, type WebhookReach } from '../rules/webhooks.ts';
import { AddressRefused, addressOf, isRefusedAddress, type Resolve } from './addresses.ts';

/** The timeout of a call, from name resolution to the answer's status, and the maximum of the answer's body. */
export const CALL_MS = 10 * SECOND;
const ANSWER_BYTES = 16 * 1024;

interface OutgoingCall {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export interface CallSettings {
  readonly reach: WebhookReach;
  /** Default: as of `reach`. */
  readonly resolve?: Resolve | undefined;
  readonly callMs?: number | undefined;
}

/** The result of a call. `error` is null on success, else a sentence that reveals nothing of the target's network. */
export interface CallResult {
  readonly status: number | null;
  readonly retryAfter: string | undefined;
  readonly error: string | null;
}

/** Sends a message once, on a new connection to the checked address. Redirects are not followed. */
export async function call(outgoing: OutgoingCall, settings: CallSettings, signal: AbortSignal): Promise<CallResult> {
  const { callMs = CALL_MS } = settings;
  const ends = new AbortController();
  const ending = AbortSignal.any([ends.signal, signal]);
  try {
    return await withDeadline(callMs, async () => {
      const { called, closed } = await beforeDeadline(sendCall(outgoing, settings, ending));
      // The status decides; a limited part of the body is read so that the connection ends cleanly.
      await beforeDeadline(closed).catch(() => {});
      return called;
    });
  } catch (error) {
    return { status: null, retryAfter: undefined, error: sentenceOf(error, callMs) };
  } finally {
    ends.abort();
  }
}

async function sendCall({ url, headers, body }: OutgoingCall, { reach, resolve }: CallSettings, signal: AbortSignal) {
  const { protocol, hostname, host, port, pathname, search } = checkedWebhookUrl(url, reach, isRefusedAddress);
  const address = await addressOf(hostname, reach, resolve);
  return new Promise<{ called: CallResult; closed: Promise<void> }>((done, failed) => {
    const ask = protocol === 'https:' ? httpsRequest : httpRequest;
    const request = ask({
      method: 'POST',
      host: address,
      port,
      path: pathname + search,
      headers: { ...headers, host, 'content-length': Buffer.byteLength(body) },
      agent: false,
      signal,
    });
    request.once('error', failed).once('response', (response) => {
      const { statusCode: status = 0, headers: answer } = response;
      let bytes = 0;
      const closed = new Promise<void>((close) => void response.once('close', close));
      response
        .on('error', () => {})
        .on('data', ({ length }: Buffer) => {
          bytes += length;
          if (bytes > ANSWER_BYTES) response.destroy();
        });
      done({ called: { status, retryAfter: answer['retry-after'], error: errorOf(status) }, closed });
    });
    // A connection that changes its protocol closes without an error.
    request.once('close', failed).end(body);
  });
}

function errorOf(status: number): string | null {
  if (status >= 200 && status < 300) return null;
  return status >= 300 && status < 400
    ? 'The endpoint answered with a redirect, and redirects are not followed.'
    : 'The endpoint must answer with a 2xx status.';
}

function sentenceOf(error: unknown, callMs: number): string {
  // It was accepted under a wider reach.
  if (error instanceof DomainError) return 'Webhooks must now use public https:// addresses on port 443 or 8443.';
  if (error instanceof AddressRefused) return 'The host name must resolve to public addresses only.';
  if (error instanceof DeadlineExceeded) return `There was no answer within ${callMs / SECOND} s.`;
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  const isCertificate = /CERT|SIGNATURE|ISSUER|ALTNAME/.test(code);
  return isCertificate
    ? 'The TLS certificate is not valid for the host name.'
    : 'The connection failed, or closed without an answer.';
}
