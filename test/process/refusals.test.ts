import { expect, test } from '@jest/globals';
import { existsSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';

import { startEmbeddedPostgres } from '../../src/database/embedded-postgres.ts';
import { StartError } from '../../src/rules/errors.ts';
import { dataFolder } from '../support/data-folder.ts';
import { listening } from '../support/listening.ts';
import { endOf, type Settings } from '../support/process.ts';

/** One line, for whoever reads what a start ended with. */
const DATA_FOLDER_REFUSED = /^The data folder \S+ cannot be used \(E[A-Z]+: .+\): set DATA_DIR to a folder that .+$/;

async function refusal(settings: Settings): Promise<string> {
  const { code, stdout, stderr } = await endOf(settings);
  expect([code, stdout]).toEqual([1, '']);
  expect(stderr).not.toMatch(/^ +at /m);
  return stderr;
}

test('bad settings end the start with one message that lists all, before anything is started', async () => {
  await using folder = await dataFolder();
  const stderr = await refusal({
    DATA_DIR: folder.path,
    PORT: 'x',
    MARKET: 'gold',
    ROLE: 'api',
    TRUST_PROXY: 'anyone',
  });
  expect(stderr.split('\n').map((line) => line.trim().split(' ')[0])).toEqual([
    'The',
    'PORT',
    'MARKET',
    'TRUST_PROXY',
    'ROLE',
    '',
  ]);
  expect(existsSync(folder.path)).toBe(false);
});

test('a missing replay folder is reported, and no PostgreSQL is started', async () => {
  await using folder = await dataFolder();
  expect(await refusal({ DATA_DIR: folder.path, MARKET: 'replay:/no/such/folder' })).toMatch(
    /^MARKET cannot be used: .*\/no\/such\/folder.*accepted are .*\n$/,
  );
  expect(existsSync(folder.path)).toBe(false);
});

test.each([
  ['nobody listens at', 'postgresql://ann:open-sesame@127.0.0.1:1/arena'],
  ['is not there at', 'postgresql://ann:open-sesame@/arena?host=/no/such/folder'],
])('a database that %s ends the start with one sentence, without the password', async (_fault, url) => {
  const stderr = await refusal({ DATABASE_URL: url });
  expect(stderr).toMatch(/^The database of DATABASE_URL cannot be used: .+\n$/);
  expect(stderr).not.toContain('sesame');
});

test.each([
  ['no data folder is created', {}],
  ['the configured database is not connected', { DATABASE_URL: 'postgresql://ann@127.0.0.1:1/arena' }],
])('a port in use ends the start with one sentence, and %s', async (_fact, settings) => {
  await using folder = await dataFolder();
  await using taken = await listening(createServer());
  const stderr = await refusal({ ...settings, DATA_DIR: folder.path, PORT: String(taken.port) });
  expect(stderr).toBe(
    `Port ${taken.port} on 127.0.0.1 is in use: stop what listens there, or set PORT to a free one.\n`,
  );
  expect(existsSync(folder.path)).toBe(false);
});

test.each([
  ['in a place that takes no folders', '/proc/x'],
  ['below what is no folder', '/dev/null/x'],
  ['behind a link to nowhere', 'link'],
  ['below a file', 'file/data'],
  ['with a file in its way', 'file'],
])('a data folder %s is refused with one sentence', async (_place, path) => {
  await using folder = await dataFolder();
  mkdirSync(folder.path);
  writeFileSync(join(folder.path, 'file'), '');
  symlinkSync(join(folder.path, 'nowhere'), join(folder.path, 'link'));
  const dataDir = path.startsWith('/') ? path : join(folder.path, path);
  const error: unknown = await startEmbeddedPostgres({ dataDir, durable: false }).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StartError);
  expect(error).toMatchObject({ message: expect.stringMatching(DATA_FOLDER_REFUSED) });
  expect(error).toMatchObject({ message: expect.stringContaining(` ${dataDir} `) });
});

test('an unusable data folder ends the start with that sentence', async () => {
  await using folder = await dataFolder();
  mkdirSync(folder.path);
  writeFileSync(join(folder.path, 'file'), '');
  const stderr = await refusal({ DATA_DIR: join(folder.path, 'file') });
  expect(stderr.endsWith('\n')).toBe(true);
  expect(stderr.trimEnd()).toMatch(DATA_FOLDER_REFUSED);
});
