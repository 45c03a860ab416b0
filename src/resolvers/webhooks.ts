import { EVENT_KINDS } from '../entities/event.ts';
import { checkResumable } from '../feed/event-log.ts';
import type { WebhookRow } from '../reads/plan/webhook.ts';
import { DomainError } from '../rules/errors.ts';
import { checkedWebhookUrl, dotted } from '../rules/webhooks.ts';
import { isRefusedAddress } from '../webhooks/addresses.ts';
import { addWebhook, askForTest, removeWebhook, replayAfter, triesOf, webhooksOf } from '../webhooks/own-webhooks.ts';
import { serviceKeysOf } from '../webhooks/service-keys.ts';
import { unauthenticated } from './admission.ts';
import { type Context, requireActor, requireViewer } from './context.ts';
import type { MutationResolvers, QueryResolvers, WebhookResolvers } from './schema-types.ts';

export const webhookQueries = {
  async webhook(_root, { id }, context) {
    const agent = await requireViewer(context);
    return (await webhooksOf(context.em, agent.id)).find((one) => one.id === id) ?? null;
  },
  serviceKeys: async (_root, _args, { services: { read } }) => ({ keys: await read(serviceKeysOf) }),
} satisfies QueryResolvers;

export const webhookFields = {
  deliveries: ({ id }, _args, { em }) => triesOf(em, id),
} satisfies WebhookResolvers;

export const webhookMutations = {
  async createWebhook(_root, { url, kinds }, context) {
    const { id: agentId } = await requireActor(context);
    const { href } = checkedWebhookUrl(url, reachOf(context), isRefusedAddress);
    const wanted = EVENT_KINDS.filter((kind) => kinds.includes(dotted(kind)));
    const added = await addWebhook(emOf(context), { agentId, url: href, kinds: wanted });
    if (added !== null) return added;
    // Removed by an operator since the key was looked up: it is nobody's by now.
    throw unauthenticated(context);
  },
  async deleteWebhook(_root, { id }, context) {
    const { id: agentId } = await requireViewer(context);
    return there(await removeWebhook(emOf(context), { agentId, id }), id);
  },
  async testWebhook(_root, { id }, context) {
    const { id: agentId } = await requireActor(context);
    reachOf(context);
    return there(await askForTest(emOf(context), { agentId, id }), id);
  },
  async replayWebhook(_root, { id, after }, context) {
    const { id: agentId } = await requireActor(context);
    reachOf(context);
    await checkResumable(context.em, after);
    return there(await replayAfter(emOf(context), { agentId, id, after }), id);
  },
} satisfies MutationResolvers;

function emOf({ services }: Context) {
  return services.newRegistrationEm();
}

/** Throws `webhooks_off`. */
function reachOf({ services: { webhooks } }: Context) {
  if (webhooks !== 'off') return webhooks;
  throw new DomainError(
    'webhooks_off',
    'This service sends no webhooks: its operator has not turned them on (WEBHOOKS).',
  );
}

function there(found: WebhookRow | undefined, id: number): WebhookRow {
  if (found !== undefined) return found;
  throw new DomainError('unknown_webhook', `You have no webhook ${id}.`);
}
