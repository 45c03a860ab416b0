import { Migration } from '@mikro-orm/migrations';

/** What events say to their agent alone: that one of its webhooks ended was everybody's to read. */
export class OwnEvents extends Migration {
  override up(): void {
    this.addSql(`
      alter table events add column own jsonb;
      update events set payload = '{}', own = jsonb_build_object('agentId', payload -> 'agentId',
        'disabledWebhookId', payload -> 'webhookId', 'state', payload -> 'state')
      where kind = 'WEBHOOK_DISABLED'`);
  }
}
