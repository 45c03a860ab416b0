import { expect, test } from '@jest/globals';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { pepperMark } from '../../../src/resolvers/keys.ts';
import { preparedDataFolder } from '../../support/data-folder.ts';
import { blockWith, withOwn } from '../../support/document-blocks.ts';
import { scopedFolder } from '../../support/own-folder.ts';
import { begin, launch } from '../../support/process.ts';
import { processDatabase } from '../../support/process-database.ts';
import { OPERATING, shell } from './shell.ts';

const PEPPER = { KEY_PEPPER: 'the same in both places' };

test('the move from the embedded PostgreSQL to another server keeps agents and keys', async () => {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await preparedDataFolder());
  const backups = stack.use(await scopedFolder());
  const embedded = stack.use(await launch({ DATA_DIR: folder.path, ...PEPPER }));
  const { body } = await embedded.post('/api/agents/register', { name: 'moved' });
  expect((await embedded.end()).code).toBe(0);

  const own = stack.use(await processDatabase());
  await own.client.query('drop schema public cascade; create schema public');
  const block = blockWith(OPERATING, 'npx hourcast backup /backups/move', {
    '/backups': backups.path,
    'npx hourcast': 'node bin/hourcast.js',
    'postgresql://hourcast:secret@db.internal/hourcast': `'${own.settings['DATABASE_URL'] ?? ''}'`,
  });
  const { stdout } = await shell(block, { DATA_DIR: folder.path, TMPDIR: tmpdir() });
  expect(stdout).toMatch(/^Backed up \d+ rows.*\nRestored \d+ rows/);
  const moved = stack.use(await launch({ ...own.settings, ...PEPPER }));
  expect((await moved.get('/api/me', body.api_key)).body).toMatchObject({ agent: { name: 'moved' } });
});

test('the owner’s start before an upgrade has the service’s settings and another address', async () => {
  await using stack = new AsyncDisposableStack();
  const folder = stack.use(await scopedFolder());
  const file = join(folder.path, 'hourcast.env');
  await writeFile(file, `DATABASE_URL=postgresql://nobody@127.0.0.1:1/none\nKEY_PEPPER=${PEPPER.KEY_PEPPER}\n`);
  const own = stack.use(await processDatabase());
  const [, command = ''] = /`(DATABASE_URL=<owner> PORT=0 [^`]+)`/.exec(OPERATING) ?? [];
  const started = withOwn(command, {
    '<owner>': `'${own.settings['DATABASE_URL'] ?? ''}'`,
    '/etc/hourcast.env': file,
    'npx hourcast': 'exec node bin/hourcast.js',
  });
  const owner = begin({}, ['sh', '-c', started]);
  await owner.written(/Hourcast listens/);
  await owner.end('SIGINT');
  const { rows } = await own.client.query('select pepper_mark as mark from platform');
  expect(rows).toEqual([{ mark: pepperMark(PEPPER.KEY_PEPPER) }]);
});
