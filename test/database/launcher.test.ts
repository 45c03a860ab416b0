import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';

import { transformSync } from 'esbuild';

import { openFolder } from '../support/data-folder.ts';

const ROOT = join(import.meta.dirname, '../..');

const OLD = 'Hourcast runs on Node 24.9 or newer, and this is Node';

const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(
  readFileSync(join(ROOT, 'package.json'), 'utf8'),
);

/** A program under this Node, which is made to call itself another version on another system. */
function launch(program: readonly string[], properties: object = {}, cwd = ROOT) {
  const disguise = Object.entries(properties)
    .map(([name, value]) => `Object.defineProperty(process,'${name}',{value:${JSON.stringify(value)}});`)
    .join('');
  const flags = ['--import', `data:text/javascript,${encodeURIComponent(disguise)}`];
  return spawnSync(process.execPath, [...flags, ...program], { cwd, encoding: 'utf8' });
}

const node = (version: string, platform: string, arch: string) => ({
  versions: { ...process.versions, node: version },
  platform,
  arch,
});

describe.each([
  ['the service', ['bin/hourcast.js']],
  ['a command', ['bin/hourcast.js', 'sandbox']],
  ['a script', ['bin/run.js', 'scripts/codegen.ts']],
])('%s under an old Node', (_which, program) => {
  test('the error points to the Node of npm ci', () => {
    const { status, stdout, stderr } = launch(program, node('20.20.2', 'linux', 'x64'));
    expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
    expect(stderr).toBe(
      `${OLD} 20.20.2. \`npm ci\`, without --omit=optional, installs the right one beside the other packages; ` +
        '`npm start` and `npm run` then use it.\n',
    );
  });

  test('the error asks for a new Node where npm has none', () => {
    const { status, stderr } = launch(program, node('22.1.0', 'darwin', 'arm64'));
    expect(status).toBe(1);
    expect(stderr).toBe(
      `${OLD} 22.1.0. Install Node 24.9 or newer from https://nodejs.org, then run \`npm ci\` and the command again.\n`,
    );
  });
});

test('a Node 24 without shouldUpgradeCallback is too old', () => {
  const { status, stderr } = launch(['bin/hourcast.js', '--version'], node('24.8.0', 'linux', 'x64'));
  expect({ status, stderr }).toEqual({ status: 1, stderr: expect.stringContaining(`${OLD} 24.8.0. `) });
});

test('every script of package.json with TypeScript or Jest starts through bin/run.js or bin/hourcast.js', () => {
  const checked =
    /^exec node bin\/(run\.js (\w+\/.+\.ts|node_modules\/jest\/bin\/jest\.js)( --config \S+)?|hourcast\.js( --settings-file=\.env| \w+)?)$/;
  const unchecked = Object.entries(scripts).filter(
    ([, command]) => /^(exec )?node |\.ts\b|\bjest\b/.test(command) && !checked.test(command),
  );
  expect(unchecked).toEqual([]);
});

test.each(['checked-node', 'hourcast', 'run'])('bin/%s.js has only syntax of Node 12', (name) => {
  const text = readFileSync(join(ROOT, `bin/${name}.js`), 'utf8');
  const [old, present] = ['node12.20', 'esnext'].map((target) => transformSync(text, { target, format: 'esm' }).code);
  expect(old).toBe(present);
});

describe('before npm ci', () => {
  let folder: string;

  beforeAll(async () => {
    folder = await openFolder('hourcast-bare-');
    for (const part of ['bin', 'src', 'scripts', 'clients/js/src', 'package.json', 'test/long/jest.config.js'])
      cpSync(join(ROOT, part), join(folder, part), { recursive: true });
  });
  afterAll(() => rm(folder, { recursive: true }));

  test.each(['start', 'sandbox', 'demo', 'test', 'test:long', 'codegen', 'verify'])(
    'the script %s fails with one sentence before npm ci',
    (name) => {
      const [, , ...words] = scripts[name]?.split(' ') ?? [];
      const { status, stdout, stderr } = launch(words, {}, folder);
      expect({ status, stdout }).toEqual({ status: 1, stdout: '' });
      expect(stderr).toMatch(
        /^The package [@\w/-]+ is not installed: run `npm ci` in the folder of package\.json first\.\n$/,
      );
    },
  );
});
