import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { createHash } from 'node:crypto';
import { access, cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';

import { archiveCommand } from '../../src/backup/command-line.ts';
import { archiveMonth } from '../../src/month-archive/archive-month.ts';
import { readMonthArchive } from '../../src/month-archive/month-archive.ts';
import { monthTurner } from '../../src/jobs/months.ts';
import { openMonths } from '../../src/verify/published/archived-months.ts';
import { verifyCommand } from '../../src/verify/command-line.ts';
import { checkLog } from '../../src/verify/log/log-check.ts';
import { verify } from '../../src/verify/verification.ts';
import { createTestDatabase, type TestDatabase } from '../support/database.ts';
import { ownFolder } from '../support/own-folder.ts';
import { openField, type PlayedField } from '../support/played-field.ts';
import { recordedLog } from '../support/recorded-log.ts';

const OPTIONS = { version: '9.9.9', now: new Date('2026-03-20T12:00:00Z') };
/** What archives have is compared with what the service had before. */
const EXPORTS = ['/api/export/predictions.ndjson', '/api/export/rationales.ndjson'] as const;

const parent = ownFolder();
const folder = join(parent, 'january');
let database: TestDatabase;
let field: PlayedField;
/** The refusals of archives, by when. */
const refused: Record<string, unknown> = {};
const exported: string[] = [];
let january: { first: number; last: number };

const textOf = async (path: string): Promise<string> => (await fetch(field.service.url + path)).text();
const archive = (month: string, to = join(parent, 'refused')) =>
  archiveMonth(database.connection, { month, folder: to }, OPTIONS);
const refusalOf = (month: string, to?: string) => archive(month, to).catch((error: unknown) => String(error));

/** Makes the months that are due, and moves ids and time on to the last one. */
async function toNextMonth(hours: number): Promise<void> {
  const { service } = field;
  await monthTurner({ newEm: service.newEm, log: recordedLog() })(service.clock.now());
  await service.newEm().execute(`select setval('rounds_id_seq', (select max(first_round) from months))`);
  await field.sleep(hours);
}

beforeAll(async () => {
  database = await createTestDatabase();
  field = await openField({ agents: 5, start: '2026-01-20T12:10:00Z', database, keeping: { bytes: 0 } });
  const execute = <Row>(statement: string): Promise<Row[]> => field.service.newEm().execute<Row[]>(statement);
  await field.predict(1);
  await execute(`insert into rationales (round_id, agent_id, rationale, model)
    select round_id, agent_id, 'It rose,' || chr(8232) || 'as "before".', 'gpt-9' from predictions where agent_id < 3`);
  await field.service.nextHour();
  await field.play(4);
  await field.playWithoutPrices();
  await field.play(2);
  refused['unknown'] = await refusalOf('2026-01');
  await toNextMonth(24 * 20);
  refused['unsettled'] = await refusalOf('2026-01');
  await field.play(3);
  await toNextMonth(24 * 38);
  await field.play(2);
  refused['running'] = await refusalOf('2026-03');
  [january = { first: 0, last: 0 }] = await execute<typeof january>(
    `select min(id) as first, max(id) as last from rounds where start_time < '2026-02-01'`,
  );
  for (const path of EXPORTS) exported.push(await textOf(`${path}?to=2026-02-01`));
  await archive('2026-01', folder);
  const turnMonths = monthTurner({ newEm: field.service.newEm, log: recordedLog(), keepMonths: 2 });
  await turnMonths(new Date('2026-04-02T00:00:00Z'));
});

afterAll(async () => {
  await field.service.stop();
  await database.drop();
});

const hash = (of: Uint8Array): string => createHash('sha256').update(of).digest('hex');

/** A copy of the archive with another text in a file, and its checksum. */
async function changedArchive(file: string, change: (text: string) => string): Promise<string> {
  const copy = await mkdtemp(join(parent, 'changed-'));
  await cp(folder, copy, { recursive: true });
  const text = change(gunzipSync(await readFile(join(folder, file))).toString());
  const bytes = gzipSync(text);
  await writeFile(join(copy, file), bytes);
  const manifest = await readFile(join(folder, 'manifest.json'), 'utf8');
  await writeFile(join(copy, 'manifest.json'), manifest.replace(hash(await readFile(join(folder, file))), hash(bytes)));
  return copy;
}

async function verified(folders: readonly string[]) {
  const printed: string[] = [];
  const needs = { print: (line: string) => printed.push(line), months: await openMonths(folders) };
  const { differences, compared } = await verify({ url: field.service.url, rounds: null, candles: null }, needs);
  return { printed, differences, compared };
}

async function logged(folders: readonly string[]) {
  const file = join(await mkdtemp(join(parent, 'seen-')), 'seen.json');
  const needs = { print: () => {}, months: await openMonths(folders) };
  const { alarms, differences, notes } = await checkLog(field.service.url, file, needs);
  return { alarms, differences, notes };
}

test('an archive has the lines of the exports of its month, and the service no longer', async () => {
  const found = ['predictions.ndjson.gz', 'rationales.ndjson.gz'].map(async (file) =>
    gunzipSync(await readFile(join(folder, file))).toString(),
  );
  const withoutSetAt = (await Promise.all(found)).map((text) => text.replaceAll(',"set_at":null', ''));
  expect(withoutSetAt).toEqual(exported);
  expect(exported.map((text) => text.split('\n').length > 2)).toEqual([true, true]);
  for (const path of EXPORTS) expect(await textOf(`${path}?to=2026-02-01`)).toBe('');
});

test('an archive names its rounds, and its files and their checksums', async () => {
  const { manifest } = await readMonthArchive(folder);
  expect(manifest).toMatchObject({ format: 1, version: '9.9.9', month: '2026-01', first_round: 0 });
  expect(manifest.last_round).toBeGreaterThanOrEqual(january.last);
  expect(manifest.checkpoint).toMatch(/^hourcast\.log\//);
});

test.each([
  ['a month without rounds', 'unknown', /must be one of the database: none yet \(got 2026-01\)/],
  ['a month with a round decided this week', 'unsettled', /2026-01 must have been decided for 7 days/],
  ['a month that runs', 'running', /2026-03 must be over/],
])('%s is refused', (_, when, sentence) => {
  expect(refused[when]).toMatch(sentence);
});

test('a month that was dropped is refused', async () => {
  expect(await refusalOf('2026-01')).toMatch(/must be one of the database: 2026-02, 2026-03, 2026-04 \(got 2026-01\)/);
  expect(await refusalOf('2026-02')).toMatch(/must have been decided for 7 days/);
});

test('a service verifies with the archive as before, totals and boards too', async () => {
  const { printed, differences, compared } = await verified([folder]);
  expect(differences).toEqual([]);
  expect(compared).toBeGreaterThan(1000);
  expect(printed).toEqual([expect.stringMatching(/^Read from .* decided rounds/)]);
});

test('without the archive the rounds that only it has are named, and nothing differs', async () => {
  const { printed, differences } = await verified([]);
  expect(differences).toEqual([]);
  expect(printed).toContainEqual(
    `Only archives have the predictions of the rounds ${january.first}..${january.last}: name their folders by --archive.`,
  );
  expect(printed).toContainEqual(expect.stringMatching(/^Totals, standings, boards and stats were not checked/));
});

test('the log is checked with the archive, and without it but for the leaves that only it has', async () => {
  expect(await logged([folder])).toEqual({ alarms: [], differences: [], notes: [] });
  const note = expect.stringMatching(/^Only archives have the leaves of the rounds /);
  expect(await logged([])).toEqual({ alarms: [], differences: [], notes: [note] });
});

test('records of a kept round or board that the log no longer shows are an alarm, although leaves before them are out of reach', async () => {
  const [first] = await field.service
    .newEm()
    .execute<{ id: number }[]>(`select min(id) as id from rounds where start_time >= '2026-02-01'`);
  const kept = first?.id ?? 0;
  const boards = await field.service.newEm().execute(`select period from log_records where kind = 'frozen'`);
  const removed = `where round_id = ${kept} or kind = 'frozen' and period = '2026-01'`;
  await field.service.newEm().transactional(async (transaction) => {
    await transaction.execute('set local session_replication_role = replica');
    await transaction.execute(`create table removed_records as select * from log_records ${removed}`);
    await transaction.execute(`delete from log_records ${removed}`);
  });
  try {
    expect(boards).toContainEqual({ period: '2026-01' });
    const { alarms } = await logged([]);
    expect(alarms).toEqual([`round ${kept}: the log does not have it.`, 'board of 2026-01: the log does not have it.']);
  } finally {
    await field.service.newEm().execute('insert into log_records select * from removed_records');
    await field.service.newEm().execute('drop table removed_records');
  }
});

test('rounds in a range that only archives have are named alone', async () => {
  const [inside, range] = [
    { first: 1, last: 2 },
    { first: 2, last: 100_000 },
  ];
  const needs = { print: () => {}, months: await openMonths([]) };
  const { url } = field.service;
  await expect(verify({ url, rounds: inside, candles: null }, needs)).rejects.toThrow(/of the rounds 1\.\.2:/);
  const printed: string[] = [];
  await verify({ url, rounds: range, candles: null }, { ...needs, print: (line) => printed.push(line) });
  expect(printed).toContainEqual(expect.stringMatching(/of the rounds 2\.\./));
});

test('an archive that is given twice is refused', async () => {
  await expect(openMonths([folder, folder])).rejects.toThrow(/--archive must name each round once/);
});

test('the commands archive and verify end with 0, and refuse what is wrong in a sentence', async () => {
  const { user, host, port, database: name } = database.connection;
  const environment = { DATABASE_URL: `postgresql://${user}@/${name}?host=${encodeURIComponent(host)}&port=${port}` };
  const refusal = await archiveCommand(['2026-02', join(parent, 'february')], environment);
  expect(refusal).toEqual({ code: 1, stderr: expect.stringMatching(/decided for 7 days/) });
  expect(await archiveCommand(['2026-02'], environment)).toMatchObject({ code: 2 });
  await field.service.newEm().execute(`update rounds set decided_at = decided_at - interval '9 days' where id > 9`);
  expect(await archiveCommand(['2026-02', folder], environment)).toMatchObject({ code: 1 });
  const done = await archiveCommand(['2026-02', join(parent, 'february')], environment);
  expect(done).toEqual({
    code: 0,
    stdout: expect.stringMatching(/^Archived rounds \d+ to \d+ of 2026-02, 0\.0 MB\.\n$/),
  });
  const months = await field.service.newEm().execute('select month from months where archived_at is not null');
  expect(months).toHaveLength(2);
});

test('a database without the tables of the service is refused in a sentence', async () => {
  const { newEm } = field.service;
  const name = `${database.connection.database}_empty`;
  await newEm().execute(`create database ${name} template template0`);
  try {
    const place = { month: '2026-01', folder: join(parent, 'none') };
    const archiving = archiveMonth({ ...database.connection, database: name }, place, OPTIONS);
    await expect(archiving).rejects.toThrow(/^The database must be one of this version of the service/);
  } finally {
    await newEm().execute(`drop database ${name} with (force)`);
  }
});

test('a role that may only read is refused in a sentence, and no folder is left', async () => {
  const { newEm } = field.service;
  const role = `reader_${database.connection.database.slice(-8)}`;
  const place = { month: '2026-02', folder: join(parent, 'read') };
  await newEm().execute(`create role ${role} login; grant select on all tables in schema public to ${role}`);
  try {
    const archiving = archiveMonth({ ...database.connection, user: role }, place, OPTIONS);
    await expect(archiving).rejects.toThrow(
      /^The database role must have the right to update months: give the owner’s/,
    );
    await expect(access(place.folder)).rejects.toThrow('ENOENT');
  } finally {
    await newEm().execute(`drop owned by ${role}; drop role ${role}`);
  }
});

test.each([
  [['--url', 'http://127.0.0.1:1', '--archive', '/nowhere'], /must hold the archive of a month/],
  [['--log', 'http://127.0.0.1:1', '--watch', '--archive', '/nowhere'], /--archive must be without --watch/],
])('verify %j is refused', async (words, sentence) => {
  expect(await verifyCommand(words)).toEqual({ code: 2, stderr: expect.stringMatching(sentence) });
});

test('a changed file of an archive is refused', async () => {
  const copy = await changedArchive('log.txt.gz', (text) => text);
  await writeFile(join(copy, 'predictions.ndjson.gz'), gzipSync(''));
  await expect(openMonths([copy])).rejects.toThrow(/predictions\.ndjson\.gz has another checksum/);
  await expect(openMonths([parent])).rejects.toThrow(/must hold the archive of a month/);
});

test('a prediction that was changed with its checksum differs', async () => {
  const copy = await changedArchive('predictions.ndjson.gz', (text) =>
    text.replace(/"confidence":\d+/, '"confidence":51'),
  );
  expect((await verified([copy])).differences.length).toBeGreaterThan(0);
  expect((await logged([copy])).differences.length + (await logged([copy])).alarms.length).toBeGreaterThan(0);
});

test('a closing that was removed from an archive is an alarm', async () => {
  const copy = await changedArchive('log.txt.gz', (text) => text.replace(/.*hourcast closed.*\n/, ''));
  expect((await logged([copy])).alarms).not.toEqual([]);
});

test('the leaves of a dropped round are answered by 404 with where they are', async () => {
  const { status, body } = await field.service.request('GET', `/log/entries/${january.first}`);
  expect([status, body.error]).toEqual([404, expect.stringMatching(/Only an archive of its month/)]);
});

test('the proof of a dropped prediction is answered by 404 with where it is', async () => {
  const { status, body } = await field.service.request('GET', `/api/rounds/${january.first}/predictions/1/proof`);
  expect([status, body.error]).toEqual([404, expect.stringMatching(/Only an archive of its month/)]);
});

test('a dropped round has no predictions, and says so', async () => {
  const query = `{ round(id: ${january.first}) { archived totalEntries predictions(first: 5) { nodes { id } } } }`;
  const { body } = await field.service.request('POST', '/graphql', { body: { query } });
  expect(body.data.round).toEqual({ archived: true, totalEntries: expect.any(Number), predictions: { nodes: [] } });
  const inRest = async (part: string) =>
    (await field.service.request('GET', `/api/rounds/${january.first}${part}`)).body;
  expect(await inRest('/results')).toMatchObject({ round: { archived: true }, predictions: [] });
  expect(await inRest('/entries')).toEqual({ entries: [], archived: true });
  expect((await inRest('')).round.archived).toBe(true);
});
