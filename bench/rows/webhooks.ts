import { createServer } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';

import { EventSource } from 'eventsource';
import type { Client } from 'pg';

import { withClient } from '../../src/database/connection.ts';
import { startTestCluster } from '../../test/support/cluster.ts';
import { listening } from '../../test/support/listening.ts';
import { spreadOf } from '../compare.ts';
import { openLayout } from '../layouts.ts';
import { ratio } from '../results.ts';
import { percentile, table } from '../table.ts';
import type { Row } from './row.ts';

const GOOD = 300;
/** Webhooks of each bad kind. */
const BAD = 75;
const SORTS = ['good', 'dead', 'hanging', 'slow', 'late'] as const;
/** Answered 5 s after the request. */
const SLOW_STATUS = new Map([
  ['/slow', 503],
  ['/late', 204],
]);
const KINDS = ['ROUND_OPENED', 'ROUND_CLOSED', 'ROUND_RESOLVED', 'ROUND_VOID'];
/** Events of a turn; an hour takes 3 s. The first ones are not counted. */
const [FIRST_EVENTS, EVENTS] = [4, 24];
const SPEED = 1_200;
const SLOW_MS = 5_000;
const LOOK_MS = 250;

/** Instants by reader and seq. */
interface Received {
  readonly live: Map<number, number>;
  readonly hooks: Map<number, number[]>;
}

/**
 * The delay of good webhooks behind a live reader: alone, and beside as many that are dead, hang, or answer 503 or 204 after 5 s.
 * Bad ones have no failures when a turn begins, and are retried about twice an hour, at varying moments.
 */
export const besideBadWebhooks: Row = async ({ repetitions, onStop }) => {
  await using stack = new AsyncDisposableStack();
  onStop(() => stack.disposeAsync());
  stack.use(await startTestCluster());
  const { site, agents } = await openLayout(1, { stack, speed: SPEED, more: { WEBHOOKS: 'any' } });
  await agents(GOOD + 4 * BAD);
  const received: Received = { live: new Map(), hooks: new Map() };
  const receiver = stack.use(await receiving(received));
  stack.defer(listenLive(site.urls[0] ?? '', received));
  const connection = await site.connection();
  if (connection === null) throw new Error('There is no database');
  const lines = [['ms behind a live reader', 'p50', 'p99', 'p50 beside bad ones', 'p99', 'p99 beside : alone']];
  const ratios: number[] = [];
  await withClient(connection, async (client) => {
    await addWebhooks(client, receiver.port);
    for (let repetition = 0; repetition <= repetitions; repetition += 1) {
      const turns: Record<'alone' | 'beside', readonly number[]> = { alone: [], beside: [] };
      for (const name of repetition % 2 === 0 ? (['alone', 'beside'] as const) : (['beside', 'alone'] as const)) {
        await begin(client, name === 'beside');
        turns[name] = await turn(client, received);
        process.stderr.write('.');
      }
      // The first repetition warms up.
      if (repetition === 0) continue;
      const [alone, beside] = [turns.alone, turns.beside];
      const figures = [alone, beside].flatMap((behind) => [percentile(behind, 0.5), percentile(behind, 0.99)]);
      ratios.push(percentile(beside, 0.99) / percentile(alone, 0.99));
      lines.push([`repetition ${repetition}`, ...figures.map((ms) => ms.toFixed(0)), ratio(ratios.at(-1) ?? NaN)]);
    }
  });
  process.stderr.write('\n');
  const { min, median, max } = spreadOf(ratios);
  const found = `${GOOD} that take their messages beside ${4 * BAD} that do not, or slowly: p99 ${ratio(min)}, ${ratio(median)}, ${ratio(max)}`;
  return `\`\`\`\n${table(lines)}\n\n${found}\n\`\`\``;
};

async function receiving({ hooks }: Received) {
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      if (request.url === '/hanging') return;
      const slow = SLOW_STATUS.get(request.url ?? '');
      if (slow !== undefined) return void setTimeout(() => response.writeHead(slow).end(), SLOW_MS);
      const { seq }: { seq: number } = JSON.parse(Buffer.concat(parts).toString()).data;
      hooks.set(seq, [...(hooks.get(seq) ?? []), performance.now()]);
      response.writeHead(204).end();
    });
  });
  return listening(server);
}

/** Records live events; returns a function that stops it. */
function listenLive(url: string, { live }: Received): () => void {
  const source = new EventSource(`${url}/api/events`);
  for (const kind of KINDS)
    source.addEventListener(kind, ({ lastEventId }) => live.set(Number(lastEventId), performance.now()));
  return () => source.close();
}

/** Three for each agent, sorted by kind. No server listens on port 9. */
async function addWebhooks(client: Client, port: number): Promise<void> {
  const urls = SORTS.flatMap((sort) =>
    Array.from({ length: sort === 'good' ? GOOD : BAD }, () =>
      sort === 'dead' ? 'http://127.0.0.1:9/' : `http://127.0.0.1:${port}/${sort}`,
    ),
  );
  await client.query(
    `insert into webhooks (agent_id, place, url, kinds, cursor_seq, state)
     select 1 + (n - 1) / 3, 1 + (n - 1) % 3, url, $2, last_seq, 'active'
     from platform, unnest($1::text[]) with ordinality u(url, n)`,
    [urls, KINDS],
  );
}

/** Resets the webhooks: all events are delivered, and bad webhooks have no failures or are disabled. */
async function begin(client: Client, withBad: boolean): Promise<void> {
  await client.query(
    `update webhooks set cursor_seq = last_seq, failures = 0, failing_since = null, slow = false, next_try_at = now(), claim = claim + 1,
       claimed_until = now(), state = case when $1 or url like '%/good' then 'active' else 'disabled' end
     from platform where webhooks.id in (select id from webhooks order by id for update)`,
    [withBad],
  );
}

/** Milliseconds from the live reader until each good webhook has an event of the turn. */
async function turn(client: Client, received: Received): Promise<readonly number[]> {
  // A webhook counts as bad only after it has failed.
  await delivered(client, received, FIRST_EVENTS);
  return delivered(client, received, EVENTS);
}

async function delivered(client: Client, { live, hooks }: Received, events: number): Promise<readonly number[]> {
  live.clear();
  hooks.clear();
  const complete = () => [...live].filter(([seq]) => hooks.get(seq)?.length === GOOD);
  while (complete().length < events) {
    await client.query(
      `update webhooks set next_try_at = now() + random() * interval '3 s'
       where id in (select id from webhooks where next_try_at > now() + interval '3 s' order by id for update)`,
    );
    await delay(LOOK_MS);
  }
  return complete().flatMap(([seq, at]) => (hooks.get(seq) ?? []).map((arrived) => arrived - at));
}
