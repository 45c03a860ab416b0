import { execFile } from 'node:child_process';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';

import { withClient } from '../../src/database/connection.ts';
import { addHours, SECOND } from '../../src/rules/hours.ts';
import { type DataFolder, dataFolder } from '../../test/support/data-folder.ts';
import { alternately, pairsOf, type Side } from '../compare.ts';
import { benchKey } from '../history-shapes.ts';
import { type MeasuredService, runningRound, serviceIn, setClock } from '../measured-service.ts';
import { markdown, ratioTable, SPREAD_HEAD } from '../results.ts';
import { ANSWERS } from './edge.ts';
import { graphql, growthCells, type Read, readsOfBoth, residentMb } from './growth.ts';
import { untilFollowed } from './million.ts';
import type { Row, RowOptions } from './row.ts';
import { addAgents, submitter } from './submissions.ts';

/** Each agent predicted in every hour: 100 million predictions. */
const [AGENTS, AGENTS_IF_QUICK] = [3_802, 100];
const [MONTHS, MONTHS_IF_QUICK] = [36, 4];
/** The hour after the last one of both histories. */
const END = new Date('2026-01-01T00:00:00Z');
/** The history beside it: the last month alone, which fills the windows of boards. */
const LAST_MONTH = new Date(Date.UTC(END.getUTCFullYear(), -1));
/** Agents for submissions, each of which submits once. */
const SUBMITTING = 600_000;
const JUST_BEGUN_MS = 58 * 60 * SECOND;
const NEARLY_OVER_MS = 20 * SECOND;

interface OldMonth {
  readonly name: string;
  /** Finished months after it. */
  readonly after: number;
}

const OLDEST = `select month as name, (select count(*)::int - 3 from months) as after from months order by month limit 1`;

/** Reads a row of each month's tables, and whether the month is dropped. */
const READ_ONE = `select m.dropped_at is not null as dropped, (select count(*) from (select from predictions p join scores s
    on s.round_id = p.round_id and s.agent_id = p.agent_id where p.agent_id = 7 and p.round_id = m.first_round + 5) t) as n
  from months m where month = $1`;

type Folders = readonly [DataFolder, DataFolder];
type Service = Omit<MeasuredService, 'history'>;

const run = promisify(execFile);

/** 100 million predictions in 36 months beside those of the last month alone. */
export const months: Row = async (options) => {
  const [agents, count] = options.isQuick ? [AGENTS_IF_QUICK, MONTHS_IF_QUICK] : [AGENTS, MONTHS];
  await using stack = new AsyncDisposableStack();
  const few = stack.use(await historyFolder(agents, LAST_MONTH));
  const many = stack.use(await historyFolder(agents, new Date(Date.UTC(END.getUTCFullYear(), -count))));
  return await besideOne([few, many], agents, options);
};

async function besideOne(folders: Folders, agents: number, options: RowOptions): Promise<string> {
  const lines = [...(await edges(folders, agents, options)), ...(await starts(folders, options))];
  const submissions = await withBoth(folders, options, async (services) => {
    lines.push(...(await reads(services, options)));
    const table = await submissionsOf(services, agents, options);
    lines.push(['resident MB after all of that', ...growthCells([[residentMb(services[0]), residentMb(services[1])]])]);
    return table;
  });
  const head = ['months beside one', ...SPREAD_HEAD, 'one, months (ms, MB)'];
  return `${markdown([head, ...lines])}\n\n${submissions}\n\n${await dropped(folders[1], options)}`;
}

async function withBoth<T>(
  [few, many]: Folders,
  { service }: RowOptions,
  work: (services: readonly [Service, Service]) => Promise<T>,
): Promise<T> {
  await using one = await serviceIn(few, { service });
  await using other = await serviceIn(many, { service });
  return await work([one, other]);
}

/** Written in its own process. */
async function historyFolder(agents: number, first: Date): Promise<DataFolder> {
  const folder = await dataFolder(tmpdir());
  const shape = [String(agents), first.toISOString(), END.toISOString()];
  await run(process.execPath, [join(import.meta.dirname, '../months-writer.ts'), folder.path, ...shape]);
  return folder;
}

/** A round that all agents answered: from its end until it is decided, and until boards and all that follows have it. */
async function edges(folders: Folders, agents: number, { repetitions, service }: RowOptions): Promise<string[][]> {
  const edge = async (folder: DataFolder, hour: number) => {
    await setClock(folder.path, new Date(addHours(END, hour + 1).getTime() - NEARLY_OVER_MS));
    await using running = await serviceIn(folder, { service });
    return await withClient(running.connection, async (client) => {
      const { id } = await runningRound(running.url);
      await client.query(ANSWERS, [agents]);
      return untilFollowed(client, id);
    });
  };
  const pairs = await alternately(repetitions, (side, n) => edge(folders[side], n));
  return [
    ['decided after the hour', ...growthCells(pairs.map((pair) => [pair[0].decidedMs, pair[1].decidedMs]))],
    ['boards after the hour', ...growthCells(pairs.map((pair) => [pair[0].followedMs, pair[1].followedMs]))],
  ];
}

async function starts(folders: Folders, { repetitions, service }: RowOptions): Promise<string[][]> {
  for (const { path } of folders)
    await setClock(path, new Date(addHours(END, repetitions + 3).getTime() - JUST_BEGUN_MS));
  const start = async (folder: DataFolder) => {
    await using running = await serviceIn(folder, { service });
    await delay(3 * SECOND);
    return { ms: running.startMs, mb: residentMb(running) };
  };
  const pairs = await alternately(repetitions, (side) => start(folders[side]));
  return [
    ['start until it answers', ...growthCells(pairs.map((pair) => [pair[0].ms, pair[1].ms]))],
    ['resident MB, idle', ...growthCells(pairs.map((pair) => [pair[0].mb, pair[1].mb]))],
  ];
}

const AGENT = 7;
const page = (order: string): string =>
  `{ agent(id: ${AGENT}) { predictions(first: 50, orderBy: ${order}) { nodes { id score } } } }`;
const board = (period: string, type: string): string =>
  `{ leaderboard(period: ${period}${type}, limit: 100) { rankings { rank totalPoints } } }`;

const BOARDS: readonly Read[] = [
  graphql('a daily board', board('daily', '')),
  graphql('an all-time board', board('alltime', '')),
  graphql('an all-time board of a type', board('alltime', ', questionType: direction')),
  { name: '/api/me', path: '/api/me', key: benchKey(AGENT) },
];

async function reads(services: readonly [Service, Service], { repetitions }: RowOptions): Promise<string[][]> {
  const [few, many] = services;
  const [newest, oldest] = [graphql('newest', page('NEWEST')), graphql('oldest', page('OLDEST'))];
  const oldestPage = 'with months: an agent’s oldest page beside its newest';
  const compared: readonly (readonly [string, ...Parameters<typeof readsOfBoth>[0]])[] = [
    ...BOARDS.map((read) => [read.name, { service: few, read }, { service: many, read }] as const),
    [oldestPage, { service: many, read: newest }, { service: many, read: oldest }],
  ];
  const lines: string[][] = [];
  for (const [name, ...sides] of compared) {
    const { times, byProcessor } = await readsOfBoth(sides, repetitions);
    lines.push([`${name}, by processor time ${byProcessor}`, ...growthCells(times)]);
  }
  return lines;
}

async function submissionsOf(
  services: readonly [Service, Service],
  agents: number,
  options: RowOptions,
): Promise<string> {
  const submitting = async (service: Service, history: string): Promise<Side> => {
    await addAgents({ ...service, history: { agents } }, agents + SUBMITTING);
    return submitter(`POST /api/predictions with ${history}`, service, agents + 1);
  };
  const [few, many] = [await submitting(services[0], 'one month'), await submitting(services[1], 'months')];
  return ratioTable(few.name, [{ what: many.name, pairs: await pairsOf(few, many, options) }]);
}

/** A month is archived, then dropped: the longest wait of statements that read its tables, one after the other. */
async function dropped(folder: DataFolder, { service }: RowOptions): Promise<string> {
  const program = join(service, 'bin/hourcast.js');
  const archive = join(folder.path, '../archive');
  const env = { ...process.env, DATA_DIR: folder.path };
  const oldest = async () => {
    await using running = await serviceIn(folder, { service });
    const { rows } = await withClient(running.connection, (client) => client.query<OldMonth>(OLDEST));
    const [month] = rows;
    if (month === undefined) throw new Error('The history must have months');
    const began = performance.now();
    await run(process.execPath, [program, 'archive', month.name, archive], { env });
    return { ...month, archivedMs: performance.now() - began };
  };
  const { name: month, after, archivedMs } = await oldest();
  await using running = await serviceIn(folder, { service, settings: { KEEP_MONTHS: String(after) } });
  const { slowestMs, droppedMs } = await withClient(running.connection, async (client) => {
    let longest = 0;
    for (const since = performance.now(); ;) {
      const before = performance.now();
      const { rows } = await client.query(READ_ONE, [month]);
      longest = Math.max(longest, performance.now() - before);
      if (rows[0]?.dropped === true) return { slowestMs: longest, droppedMs: performance.now() - since };
    }
  });
  return markdown([
    [`${month} of the months`, 'ms'],
    ['archived', archivedMs.toFixed(0)],
    ['dropped after', droppedMs.toFixed(0)],
    ['the longest wait of a read meanwhile', slowestMs.toFixed(1)],
  ]);
}
