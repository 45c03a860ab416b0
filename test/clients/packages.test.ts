import { execFileSync } from 'node:child_process';
import { copyFileSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { describeWith } from '../support/installed.ts';
import { scopedFolder } from '../support/own-folder.ts';
import { launch, type RunningService } from '../support/process.ts';
import { processDatabase } from '../support/process-database.ts';
import { goldenDrivers, reproduced } from './golden-drivers.ts';
import { installPackages, type Packages } from './packages.ts';
import { run } from './programs.ts';

/* What strangers get: the tarball and the wheel, installed in empty folders, beside the service on a fast clock. */

const MOST_PACKED_BYTES = 75_000;
const MOST_SAMPLE_BYTES = 1_500_000;
/** Takes the first answer of what it gets. */
const BOT = String.raw`sed -E 's/.*"choices":\["([A-Z]+)".*/\1 60/'`;

const OWN_TESTS = {
  js: ['npm', 'test'],
  llm: ['npm', 'test'],
  python: ['python3', '-m', 'unittest'],
} as const;

const COMMAND_LINES = [
  {
    name: 'npx hourcast-client',
    command: ['npx', '--offline', 'hourcast-client'],
    folder: 'javascript',
    agent: 'by-npx',
  },
  { name: 'python3 -m hourcast', command: ['python3', '-m', 'hourcast'], folder: 'python', agent: 'by-python' },
] as const;

describeWith(['python3', 'pip3'], 'the packages', () => {
  const closing = new AsyncDisposableStack();
  let packages: Packages;
  let service: RunningService;

  beforeAll(async () => {
    packages = closing.use(await installPackages());
    const database = closing.use(await processDatabase());
    service = closing.use(await launch({ ...database.settings, CLOCK_SPEED: '900' }));
  });
  afterAll(() => closing.disposeAsync());

  test.each(COMMAND_LINES)(
    'three commands of $name lead to a scored prediction',
    async ({ command, folder, agent }) => {
      const cwd = packages[folder];
      const env = { HOURCAST_URL: service.url, PYTHONPATH: packages.pythonModules };
      const written: string[] = [];
      for (const words of [
        ['register', agent, '--spectate'],
        ['activate'],
        // On a busy machine the first hour may be over before its answer comes.
        ['watch', '--answer', BOT, '--rounds', '3'],
      ]) {
        const { stdout, stderr } = await run([...command, ...words], { cwd, env });
        written.push(stdout, stderr);
      }
      expect(written.join('')).toMatch(/^Round \d+: \w+ was (right|wrong), [-+]\d+ points, [-+\d.]+ USD, place \d+$/m);
      const { key } = JSON.parse(readFileSync(join(cwd, 'hourcast.json'), 'utf8'));
      expect(written.join('')).not.toContain(key);
      const { body } = await service.get('/api/me', key);
      expect(body.recent_predictions.some(({ score }: { score: number | null }) => score !== null)).toBe(true);
    },
  );

  test.each(COMMAND_LINES)('a backtest of $name has its sample, and needs no service', async ({ command, folder }) => {
    const env = { HOURCAST_URL: 'http://127.0.0.1:9', PYTHONPATH: packages.pythonModules };
    const words = ['backtest', '--sample', '--to', '2026-01-08T04:00', '--answer', BOT];
    const { stdout } = await run([...command, ...words], { cwd: packages[folder], env });
    expect(stdout).toMatch(/^3 answers in 3 rounds/);
  });

  test.each(COMMAND_LINES)('$name makes bots of every language, each with a passing test', async (line) => {
    const cwd = packages[line.folder];
    const env = { HOURCAST_URL: service.url, PYTHONPATH: packages.pythonModules };
    for (const [language, ownTest] of Object.entries(OWN_TESTS)) {
      const name = `new-${language}`;
      const made = await run([...line.command, 'init', name, '--language', language], { cwd, env });
      expect(made).toMatchObject({ code: 0, stderr: '' });
      expect(await run(ownTest, { cwd: join(cwd, name) })).toMatchObject({ code: 0 });
    }
  });

  test('the build before npm ci fails with one sentence', async () => {
    await using folder = await scopedFolder();
    const cwd = folder.path;
    copyFileSync(join(import.meta.dirname, '../../clients/js/build.mjs'), join(cwd, 'build.mjs'));
    const stderr = 'The packages of the repository must be installed: run `npm ci` in its root folder.\n';
    expect(await run([process.execPath, 'build.mjs'], { cwd })).toEqual({ code: 1, stdout: '', stderr });
  });

  test('the tarball is small, and has only necessary files', () => {
    expect(statSync(packages.tarball).size).toBeLessThanOrEqual(MOST_PACKED_BYTES + MOST_SAMPLE_BYTES);
    const files = execFileSync('tar', ['-tzf', packages.tarball], { encoding: 'utf8' }).trim().split('\n');
    expect(
      files.filter(
        (file) =>
          !/^package\/(dist\/((scaffold|sample)\/.+|.+\.(js|d\.ts))|package\.json|README\.md|LICENSE)$/.test(file),
      ),
    ).toEqual([]);
    expect(files).toEqual(expect.arrayContaining(['package/LICENSE', 'package/README.md', 'package/dist/cli/main.js']));
  });

  test('the installed rules reproduce every golden vector, bit for bit', async () => {
    const { javascript, pythonModules } = packages;
    const module = join(javascript, 'node_modules/hourcast-client/dist/rules.js');
    const made = await Promise.all(goldenDrivers(module, pythonModules).map(reproduced));
    expect(made.map(({ stderr }) => stderr)).toEqual(['', '']);
    expect(made[0]).toEqual(made[1]);
    expect(made[0]?.same).toMatchObject({ 'edge 2': expect.any(Number), 'reference 2': expect.any(Number) });
  });

  test('a strict TypeScript program for browsers type-checks against the tarball', async () => {
    const { javascript: cwd } = packages;
    writeFileSync(
      join(cwd, 'program.mts'),
      `import { createClient, HourcastError, type Round } from 'hourcast-client';
import { type Question, questionOf, planOf, scoreOf } from 'hourcast-client/rules';
import { asOf, backtest, candleFolder, type Past, scored } from 'hourcast-client/backtest';
const asked: Question = questionOf(planOf(new Date(0)), new Date(0), []);
scoreOf(60, asked.choices.length > 2) satisfies number;
const client = createClient({ url: '' });
const past: Past = await candleFolder('', { from: new Date(0), to: new Date(0) });
void [asOf, scored, backtest({ past, agent: ({ price }) => price('BTC') && null })];
const { round } = await client.currentRound({ signal: new AbortController().signal });
const first: Round['choices'][number] | undefined = round?.choices[0];
for await (const event of client.events({ after: 0 })) if (event.kind === 'ROUND_RESOLVED') event.payload.outcome satisfies string | undefined;
for await (const row of client.export('rounds', { asset: 'BTC' })) row.start_btc_price satisfies number | null;
// @ts-expect-error A confidence is a number.
await client.predict({ round_id: 1, prediction: first ?? '', confidence: '60' }).catch((error: HourcastError) => error.code);
`,
    );
    const options = [
      '--strict',
      '--exactOptionalPropertyTypes',
      '--noEmit',
      '--types',
      '',
      '--lib',
      'es2022,dom,esnext.asynciterable',
    ];
    const modules = ['--target', 'es2022', '--module', 'nodenext'];
    const compiler = join(import.meta.dirname, '../../node_modules/.bin/tsc');
    expect(await run([compiler, ...options, ...modules, 'program.mts'], { cwd })).toMatchObject({
      code: 0,
      stdout: '',
    });
  });

  test('the wheel has its types, its licence and its command', async () => {
    const { stdout } = await run(['python3', '-m', 'zipfile', '-l', packages.wheel]);
    for (const file of ['hourcast/py.typed', 'hourcast/types.py', 'dist-info/LICENSE', 'dist-info/entry_points.txt']) {
      expect(stdout).toContain(file);
    }
  });
});
