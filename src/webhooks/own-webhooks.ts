import type { SqlEntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

import { valueOf } from '../reads/plan/plan.ts';
import { WEBHOOK, WEBHOOKS, type WebhookRow } from '../reads/plan/webhook.ts';
import { rows } from '../reads/sql.ts';
import { DomainError } from '../rules/errors.ts';
import { KEPT_TRIES, MAX_WEBHOOKS } from '../rules/webhooks.ts';

interface Whose {
  readonly agentId: number;
  readonly id: number;
}

/** What a statement that changes a webhook `w` returns of it. */
interface Changed {
  readonly webhook: unknown;
}

const CHANGED = sql`${WEBHOOK.sql} as webhook`;

function changed([row]: readonly Changed[]): WebhookRow | undefined {
  return row && valueOf(WEBHOOK, row.webhook);
}

/** An agent's webhooks, the oldest first. */
export async function webhooksOf(em: SqlEntityManager, agentId: number): Promise<readonly WebhookRow[]> {
  const [found] = await rows<{ readonly webhooks: unknown }>(em)`
    select ${WEBHOOKS.sql} as webhooks from agents a where a.id = ${agentId}`;
  return valueOf(WEBHOOKS, found?.webhooks);
}

/** The last tries of a webhook, the newest first. */
export async function triesOf(em: SqlEntityManager, id: number) {
  return rows<{
    number: number;
    at: Date;
    messageId: string;
    type: string;
    status: number | null;
    error: string | null;
    durationMs: number;
  }>(em)`
    select number, at, message_id as "messageId", type, status, error, duration_ms as "durationMs"
    from webhook_tries where webhook_id = ${id} order by number desc limit ${KEPT_TRIES}`;
}

/** Begins at the end of the log. Null where the agent was removed meanwhile. Throws `too_many_webhooks`. */
export async function addWebhook(
  em: SqlEntityManager,
  { agentId, url, kinds }: { readonly agentId: number; readonly url: string; readonly kinds: readonly string[] },
): Promise<WebhookRow | null> {
  const found = await em.transactional(async (transaction) => {
    // Two at the same moment would find the same free place.
    const there = await rows(transaction)`
      select from agents where id = ${agentId} and removed_at is null for no key update`;
    if (there.length === 0) return null;
    return rows<Changed>(transaction)`
      insert into webhooks as w (agent_id, place, url, kinds, cursor_seq, state)
      select ${agentId}, free.place, ${url}, ${kinds}::text[], last_seq, 'active'
      from platform, generate_series(1, ${MAX_WEBHOOKS}) free(place)
      where not exists (select from webhooks o where o.agent_id = ${agentId} and o.place = free.place)
      order by free.place limit 1
      returning ${CHANGED}`;
  });
  if (found === null) return null;
  const added = changed(found);
  if (added !== undefined) return added;
  throw new DomainError('too_many_webhooks', `An agent has at most ${MAX_WEBHOOKS} webhooks; delete one first.`);
}

export async function removeWebhook(em: SqlEntityManager, { agentId, id }: Whose): Promise<WebhookRow | undefined> {
  const removed = await rows<Changed>(em)`
    delete from webhooks w where id = ${id} and agent_id = ${agentId} returning ${CHANGED}`;
  return changed(removed);
}

/** Has the next look of a worker send a test message. */
export async function askForTest(em: SqlEntityManager, { agentId, id }: Whose): Promise<WebhookRow | undefined> {
  const asked = await rows<Changed>(em)`
    update webhooks w set tests_asked = tests_asked + 1 where id = ${id} and agent_id = ${agentId} returning ${CHANGED}`;
  return changed(asked);
}

/** Moves the cursor to `after`. What a worker has in hand meanwhile is not recorded, since its claim is another's. */
export async function replayAfter(
  em: SqlEntityManager,
  { agentId, id, after }: Whose & { readonly after: number },
): Promise<WebhookRow | undefined> {
  const moved = await rows<Changed>(em)`
    update webhooks w set cursor_seq = ${after}, state = 'active', failing_since = null, failures = 0, next_try_at = now(),
      claim = claim + 1, claimed_until = now()
    where id = ${id} and agent_id = ${agentId} returning ${CHANGED}`;
  return changed(moved);
}
