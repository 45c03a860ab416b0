import type { Webhook } from '../reference.ts';
import { commandOf } from './action.ts';
import { type Context, wholeNumber } from './command.ts';
import { columns } from './figures.ts';

export const WEBHOOKS = commandOf(
  { name: 'webhooks', about: 'shows or changes the addresses to which the service sends events' },
  {
    list: { usage: '', words: [0, 0], run: list },
    add: {
      usage: 'URL KIND...',
      words: [2, 100],
      async run(context) {
        const { connect, signal, words } = context;
        const [url = '', ...kinds] = words;
        return changed(context, 'is added', await connect().createWebhook({ url, kinds }, { signal }));
      },
    },
    remove: {
      usage: 'ID',
      words: [1, 1],
      run: async (context) =>
        changed(context, 'is removed', await context.connect().deleteWebhook({ id: idIn(context) }, context)),
    },
    test: {
      usage: 'ID',
      words: [1, 1],
      run: async (context) =>
        changed(context, 'gets a test message', await context.connect().testWebhook({ id: idIn(context) }, context)),
    },
  },
);

function idIn({ words: [text = ''] }: Context): number {
  return wholeNumber('ID', text, { min: 1, max: 2_147_483_647 });
}

async function list({ connect, output, signal }: Context): Promise<void> {
  const answer = await connect().webhooks({ signal });
  output.json(answer);
  const webhooks = answer.webhooks ?? [];
  if (webhooks.length === 0) output.line('You have no webhooks.');
  else {
    const cells = webhooks.map(({ id, state, url, kinds }) => [String(id), state, url, kinds.join(',')]);
    for (const line of columns([['id', 'state', 'address', 'kinds'], ...cells])) output.line(line);
  }
}

function changed({ output }: Context, what: string, answer: { readonly webhook: Webhook }): void {
  output.json(answer);
  output.line(`Webhook ${answer.webhook.id} ${what}: ${answer.webhook.url}`);
}
