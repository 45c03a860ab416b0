import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import { expect, test } from '@jest/globals';

import { openHour, standAll, timeIn } from '../../jobs/standing-field.ts';
import { databaseUrl } from '../../support/process.ts';
import { seeded } from '../../support/seeded.ts';
import { sharedArena } from '../../support/shared.ts';

const KILLS = Number(process.env['STANDING_KILLS'] ?? 20);
const AGENTS = 4_000;
const PROGRAM = fileURLToPath(new URL('../../faults/standing-worker.ts', import.meta.url));

const arena = sharedArena(0);

/** A worker that waits to be told an instant; `received` resolves when it has written the word. */
function worker() {
  const child = spawn(process.execPath, [PROGRAM], {
    env: { ...process.env, DATABASE_URL: databaseUrl(arena.connection) },
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  let written = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (written += text));
  const received = async (word: string, times = 1): Promise<void> => {
    while (written.split(word).length <= times) await Promise.race([once(child.stdout, 'data'), failed(child)]);
  };
  const one = {
    child,
    received,
    /** How often it was told. */
    told: 0,
    tell(time: Date): void {
      one.told += 1;
      child.stdin.write(`${time.toISOString()}\n`);
    },
  };
  return one;
}

async function failed(child: ChildProcess): Promise<never> {
  await once(child, 'exit');
  throw new Error('The worker ended by itself');
}

test(`${KILLS} workers killed during standing predictions leave each round with them once`, async () => {
  await standAll(arena, AGENTS);
  const random = seeded(25);
  let next = worker();
  await next.received('ready');
  let cut = 0;
  let took = 100;
  for (let hour = 0; hour < KILLS; hour += 1) {
    const id = await openHour(arena, hour);
    const [killed, time] = [next, timeIn(hour, 50 * 60_000)];
    next = worker();
    killed.tell(time);
    await killed.received('begun', killed.told);
    await delay(random.between(0, Math.ceil(1.3 * took)));
    killed.child.kill('SIGKILL');
    await once(killed.child, 'exit');
    await next.received('ready');
    const [{ isCut } = { isCut: false }] = await arena.query<{ isCut: boolean }>(
      `select standing_at is null as "isCut" from rounds where id = $1`,
      [id],
    );
    cut += Number(isCut);
    const began = performance.now();
    next.tell(time);
    await next.received('done');
    if (isCut) took = performance.now() - began;
    next.tell(timeIn(hour, 51 * 60_000));
    await next.received('done', 2);
    const [found] = await arena.query(
      `select r.total_entries as entries, r.confidence_sum as confidences, count(p.id) as standing, sum(p.confidence) as sum,
         (select count(*) from events where kind = 'STANDING_APPLIED' and round_id = r.id and (payload ->> 'entries')::int = r.total_entries) as told
       from rounds r left join predictions p on p.round_id = r.id and p.standing where r.id = $1 group by r.id`,
      [id],
    );
    const sum = (AGENTS / 100) * 4950;
    expect(found).toEqual({ entries: AGENTS, confidences: sum, standing: AGENTS, sum, told: 1 });
  }
  next.child.kill('SIGKILL');
  expect(cut).toBeGreaterThan(KILLS / 5);
});
