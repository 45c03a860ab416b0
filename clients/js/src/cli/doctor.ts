import type { Client } from '../client.ts';
import { type Check, checked } from './checks/check.ts';
import { checkFeed } from './checks/feed.ts';
import { checkAgent, checkBudgets, checkRound } from './checks/agent.ts';
import { checkClock, checkMarket, checkReach, checkVersion } from './checks/service.ts';
import type { Command, Context } from './command.ts';
import { EXIT } from './exit-codes.ts';

/** Every check; a failed one names its remedy. */
export const DOCTOR: Command = {
  name: 'doctor',
  about: 'checks the service, its clock, prices and feed, your key and whether you have answered',
  async run(context) {
    const { output, given } = context;
    // It must find an unreachable service, so it does not retry by default.
    const client = context.connect(given.text('patience') === undefined ? { patienceMs: 0 } : {});
    const checks: Check[] = [];
    for await (const check of checksOf(client, context)) {
      checks.push(check);
      const { name, state, detail } = check;
      output.line(`${output.paint(COLOURS[state], MARKS[state])} ${name.padEnd(NAME_WIDTH)} ${detail}`);
    }
    output.idle();
    const failed = new Set(checks.filter(({ state }) => state === 'failed').map(({ name }) => name));
    output.json({ ok: failed.size === 0, checks });
    if (failed.has('reach')) return EXIT.unreachable;
    if (failed.has('key')) return EXIT.key;
    return failed.size > 0 ? EXIT.failed : EXIT.done;
  },
};

async function* checksOf(client: Client, { output, signal, version, hasKey }: Context): AsyncGenerator<Check> {
  output.progress(`Asking ${client.url}`);
  const { health, localMs, check } = await checkReach(client, signal);
  yield check;
  if (health === null) return;
  yield checkVersion(health, version);
  yield checkClock(health, localMs);
  yield await checked('market', async () => checkMarket(health, await client.market({ signal })));
  const { checks, profile } = await checkAgent(client, { hasKey, signal });
  yield* checks;
  output.progress('Following the feed');
  yield await checked('feed', () => checkFeed(client, signal));
  yield await checked('round', async () => checkRound(await client.currentRound({ signal }), profile));
  yield checkBudgets(client.budgets());
}

const NAME_WIDTH = 8;
const MARKS = { ok: 'ok  ', warning: 'note', failed: 'FAIL' } as const;
const COLOURS = { ok: 'green', warning: 'yellow', failed: 'red' } as const;
