import { tmpdir } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';

import { openOrm } from '../../src/database/orm.ts';
import { type DataFolder, dataFolder } from '../../test/support/data-folder.ts';
import { insertHistory } from '../../test/support/many-rows.ts';
import { alternately } from '../compare.ts';
import { serviceIn } from '../measured-service.ts';
import { markdown, SPREAD_HEAD } from '../results.ts';
import { timedRequest } from '../timed-request.ts';
import { growthCells, residentMb } from './growth.ts';
import type { Row } from './row.ts';

/** Each agent predicted in each round. */
const AGENTS = 10_000;
const [ROUNDS, ROUNDS_IF_QUICK] = [1_000, 20];
const IDLE_MS = 3_000;

type Started = Awaited<ReturnType<typeof started>>;

/** The first answer after a start and the memory of a service that nobody asks: many predictions beside none. */
export const firstAnswers: Row = async ({ service, repetitions, isQuick }) => {
  await using stack = new AsyncDisposableStack();
  const folders = [stack.use(await dataFolder(tmpdir())), stack.use(await dataFolder(tmpdir()))] as const;
  const rounds = isQuick ? ROUNDS_IF_QUICK : ROUNDS;
  await started(folders[0], service);
  await fill(folders[1], service, rounds);
  const pairs = await alternately(repetitions, (side) => started(folders[side], service));
  const line = (what: string, of: (start: Started) => number): readonly string[] => [
    what,
    ...growthCells(pairs.map(([none, many]) => [of(none), of(many)])),
  ];
  return markdown([
    [`${(AGENTS * rounds).toLocaleString('en')} predictions beside none`, ...SPREAD_HEAD, 'none, many (ms, MB)'],
    line('start to the first answer', ({ ms }) => ms),
    line('resident MB, idle', ({ idleMb }) => idleMb),
  ]);
};

async function fill(folder: DataFolder, service: string, rounds: number): Promise<void> {
  await using running = await serviceIn(folder, { service });
  const orm = await openOrm(running.connection);
  await insertHistory(orm.em.fork(), { agents: AGENTS, rounds });
  await orm.em.fork().execute('vacuum analyze');
  await orm.close(true);
}

/** The time from the start to the end of the first answer, and the memory some time later. */
async function started(folder: DataFolder, service: string) {
  await using running = await serviceIn(folder, { service });
  const { status, ms } = await timedRequest({ url: `${running.url}/api/leaderboard`, from: '127.0.0.1' });
  if (status !== 200) throw new Error(`The first answer must be a 200 (got: ${String(status)})`);
  await delay(IDLE_MS);
  return { ms: running.startMs + ms, idleMb: residentMb(running) };
}
