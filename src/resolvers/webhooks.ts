import { LockMode, raw, type SqlEntityManager } from '@mikro-orm/postgresql';

import { EVENT_KINDS } from '../entities/event.ts';
import { Platform } from '../entities/platform.ts';
import { Webhook, WebhookTry } from '../entities/webhooks.ts';
import { checkResumable, databaseLog } from '../feed/event-log.ts';
import { type WebhookRow, webhooksOf } from '../reads/plan/webhook.ts';
import { DomainError } from '../rules/errors.ts';
import { checkedWebhookUrl, dotted, KEPT_TRIES, MAX_WEBHOOKS } from '../rules/webhooks.ts';
import { verifierText } from '../transparency/notes.ts';
import { PUBLIC_PREFIX, serviceKeysOf } from '../transparency/service-keys.ts';
import { logState } from '../transparency/stored-log.ts';
import { isRefusedAddress } from '../webhooks/addresses.ts';
import { unauthenticated } from './admission.ts';
import { type Context, requireActor, requireViewer } from './context.ts';
import { changeOwn } from './registration.ts';
import type { Resolvers } from './schema-types.ts';

const PLACES = Array.from({ length: MAX_WEBHOOKS }, (_, index) => index + 1);

export const webhookResolvers = {
  Query: {
    async webhook(_root, { id }, context) {
      const agent = await requireViewer(context);
      return (await webhooksOf(context.em, agent.id)).find((one) => one.id === id) ?? null;
    },
    async serviceKeys(_root, _args, { services: { read } }) {
      const { origin: logOrigin } = await read(logState);
      const keys = await read(serviceKeysOf);
      return { logOrigin, keys: keys.map((key) => ({ ...key, verifier: verifierOf(logOrigin, key.publicKey) })) };
    },
  },
  Mutation: {
    async createWebhook(_root, { url, kinds }, context) {
      const { id: agentId } = await requireActor(context);
      const { href } = checkedWebhookUrl(url, reachOf(context), isRefusedAddress);
      const added = await changeOwn(context, agentId, async (agent, em) => {
        // An operator removed the agent after the key lookup.
        if (agent === null) throw unauthenticated(context.caller);
        const taken = (await em.find(Webhook, { agentId })).map(({ place }) => place);
        const place = PLACES.find((one) => !taken.includes(one));
        if (place === undefined)
          throw new DomainError(
            'too_many_webhooks',
            `An agent has at most ${MAX_WEBHOOKS} webhooks; delete one first.`,
          );
        const wanted = EVENT_KINDS.filter((kind) => kinds.includes(dotted(kind)));
        const { lastSeq } = await em.findOneOrFail(Platform, { id: 1 }, { fields: ['lastSeq'] });
        return em.create(Webhook, { agentId, place, url: href, kinds: wanted, cursorSeq: lastSeq, state: 'active' });
      });
      return webhookRow(added);
    },
    async deleteWebhook(_root, { id }, context) {
      const { id: agentId } = await requireViewer(context);
      return changeWebhook(context, { id, agentId }, (webhook, em) => em.remove(webhook));
    },
    async testWebhook(_root, { id }, context) {
      const { id: agentId } = await requireActor(context);
      reachOf(context);
      return changeWebhook(context, { id, agentId }, (webhook) => (webhook.testsAsked += 1));
    },
    /** A worker's try in flight is not recorded: its claim is outdated. */
    async replayWebhook(_root, { id, after }, context) {
      const { id: agentId } = await requireActor(context);
      reachOf(context);
      await checkResumable(
        databaseLog(() => context.em),
        after,
      );
      const now = raw<Date>('now()');
      return changeWebhook(context, { id, agentId }, (webhook, em) => {
        const untried = { state: 'active', failingSince: null, failures: 0, nextTryAt: now } as const;
        em.assign(webhook, { cursorSeq: after, ...untried, claim: webhook.claim + 1, claimedUntil: now });
      });
    },
  },
  Webhook: {
    async deliveries({ id: webhookId }, _args, { em }) {
      const tries = await em.find(WebhookTry, { webhookId }, { orderBy: { number: 'desc' }, limit: KEPT_TRIES });
      return tries.map((one) => ({ ...one, status: one.status ?? null, error: one.error ?? null }));
    },
  },
} satisfies Resolvers;

function verifierOf(name: string, publicKey: string): string {
  return verifierText({ name, publicKey: Buffer.from(publicKey.slice(PUBLIC_PREFIX.length), 'base64') });
}

function reachOf({ services: { webhooks } }: Context) {
  if (webhooks !== 'off') return webhooks;
  throw new DomainError(
    'webhooks_off',
    'This service sends no webhooks: its operator has not turned them on with the setting WEBHOOKS.',
  );
}

function changeWebhook(
  { services }: Context,
  key: { readonly id: number; readonly agentId: number },
  change: (webhook: Webhook, em: SqlEntityManager) => unknown,
): Promise<WebhookRow> {
  return services.newRegistrationEm().transactional(async (em) => {
    const webhook = await em.findOne(Webhook, key, { lockMode: LockMode.PESSIMISTIC_WRITE });
    if (webhook === null) throw new DomainError('unknown_webhook', `You have no webhook ${key.id}.`);
    change(webhook, em);
    return webhookRow(webhook);
  });
}

function webhookRow({ id, url, kinds, cursorSeq: cursor, state, failingSince }: Webhook): WebhookRow {
  return { id, url, kinds: kinds.map(dotted), cursor, state, failingSince: failingSince ?? null };
}
