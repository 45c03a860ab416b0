import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { dataFolder } from '../support/data-folder.ts';
import { until } from '../support/poll.ts';
import { begin, SERVICE } from '../support/process.ts';
import { processDatabase } from '../support/process-database.ts';

const PACKAGE = join(import.meta.dirname, '../../package.json');

test('--version prints the version without starting', async () => {
  const { version }: { version: string } = JSON.parse(readFileSync(PACKAGE, 'utf8'));
  expect(await begin({}, [...SERVICE, '--version']).ended).toEqual({
    code: 0,
    signal: null,
    stdout: `${version}\n`,
    stderr: '',
  });
});

test('--help prints every setting without starting', async () => {
  const { code, stdout } = await begin({}, [...SERVICE, '--help']).ended;
  expect(code).toBe(0);
  for (const name of ['PORT', 'DATA_DIR', 'CLOCK_SPEED', 'LOG_FORMAT'])
    expect(stdout).toContain(`  ${name}\n`.trimEnd());
});

test('any other argument ends the start with one sentence', async () => {
  const { code, stdout, stderr } = await begin({}, [...SERVICE, '--port', '5000']).ended;
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).toMatch(
    /^The argument must be a command that --help lists, --help or --version \(got .+PORT=5000\.\n$/,
  );
});

describe('--settings-file', () => {
  test('--settings-file sets what the environment leaves unset', async () => {
    await using folder = await dataFolder();
    const file = `${folder.path}.env`;
    await writeFile(file, 'LOCK_MINUTES=99\nPORT=none\n');
    const { code, stderr } = await begin({}, [...SERVICE, `--settings-file=${file}`]).ended;
    expect([code, stderr]).toEqual([1, expect.stringMatching(/settings:\n {2}LOCK_MINUTES must be [^\n]+\n$/)]);
  });

  test('--settings-file accepts a missing .env, and keeps other arguments', async () => {
    await using folder = await dataFolder();
    await mkdir(folder.path);
    const command = ['/bin/sh', '-c', 'cd "$0" && exec "$@"', folder.path];
    const { code } = await begin({}, [...command, ...SERVICE, '--settings-file=.env', '--version']).ended;
    expect(code).toBe(0);
  });

  test('--settings-file refuses another missing file with one sentence', async () => {
    expect(await begin({}, [...SERVICE, '--settings-file=/nowhere/.env', '--version']).ended).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringMatching(/^The settings file \/nowhere\/\.env must be a file that can be read: .+\n$/),
    });
  });

  test.each(['sandbox', 'demo'])('--settings-file refuses %s, which has settings of its own', async (word) => {
    const { code, stderr } = await begin({}, [...SERVICE, '--settings-file=.env', word]).ended;
    expect([code, stderr]).toEqual([1, `${word} takes no settings file: it must be the first argument.\n`]);
  });

  test('--settings-file refuses a folder with one sentence', async () => {
    const { code, stderr } = await begin({}, [...SERVICE, `--settings-file=${import.meta.dirname}`]).ended;
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/^The settings file .+ must be a file that can be read: .+\n$/),
    ]);
  });
});

test.each(['backup', 'archive 2026-10', 'doctor', 'doctor --new-pepper'])(
  '%s of an unreachable database ends with one sentence',
  async (words) => {
    const folder = words.startsWith('doctor') ? [] : ['/nowhere/folder'];
    const settings = { DATABASE_URL: 'postgresql://hourcast@127.0.0.1:1/arena' };
    const { code, stdout, stderr } = await begin(settings, [...SERVICE, ...words.split(' '), ...folder]).ended;
    expect(code).toBe(1);
    expect(stdout + stderr).toMatch(/The database of DATABASE_URL cannot be used: [^\n]+\n/);
    expect(stderr).not.toMatch(/^ +at /m);
  },
);

test('doctor --new-pepper with bad settings ends with one sentence', async () => {
  const { code, stderr } = await begin({ PORT: 'x' }, [...SERVICE, 'doctor', '--new-pepper']).ended;
  expect([code, stderr]).toEqual([1, expect.stringMatching(/settings:\n {2}PORT must be [^\n]+\n$/)]);
});

test('doctor --new-pepper on a database without tables ends with one sentence', async () => {
  await using database = await processDatabase();
  await database.client.query('drop schema public cascade; create schema public');
  const { code, stderr } = await begin(database.settings, [...SERVICE, 'doctor', '--new-pepper']).ended;
  expect([code, stderr]).toEqual([1, 'The database must be one of this service, but has none of its tables.\n']);
});

test('a backup whose database goes away ends with one sentence', async () => {
  await using folder = await dataFolder();
  await using database = await processDatabase();
  const { client, settings } = database;
  await client.query('begin; lock table scores in access exclusive mode');
  const backup = begin(settings, [...SERVICE, 'backup', folder.path]);
  await until('it waits for the table', async () => {
    const { rowCount } = await client.query(
      `select pg_terminate_backend(pid) from pg_locks where not granted and relation = 'scores'::regclass`,
    );
    return (rowCount ?? 0) > 0;
  });
  expect(await backup.ended).toMatchObject({
    code: 1,
    stderr: 'terminating connection due to administrator command\n',
  });
});

test('a restore of a folder that cannot be read ends with one sentence', async () => {
  await using folder = await dataFolder();
  await using database = await processDatabase();
  expect((await begin(database.settings, [...SERVICE, 'backup', folder.path]).ended).code).toBe(0);
  const file = `${folder.path}/agents.copy.gz`;
  await rm(file);
  await mkdir(file);
  const { code, stderr } = await begin(database.settings, [...SERVICE, 'restore', folder.path]).ended;
  expect([code, stderr]).toEqual([1, expect.stringMatching(/^EISDIR: [^\n]+\n$/)]);
});
