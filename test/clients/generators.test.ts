import { spawnSync } from 'node:child_process';
import { cpSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { build } from 'esbuild';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';

import { openFolder } from '../support/data-folder.ts';
import { startService, type TestService } from '../support/service.ts';
import { rm } from 'node:fs/promises';
import { run } from './programs.ts';

/*
 * A stranger who takes the reference of a service and a generator of their own: their program type-checks at the strictest, and plays.
 * The generators are a package of their own, which comes from the registry, or from npm's cache.
 */

const ROOT = join(import.meta.dirname, '../..');
const STRICT = ['--strict', '--noUncheckedIndexedAccess', '--skipLibCheck', '--noEmit'];
const MODULES = [
  '--target',
  'es2022',
  '--module',
  'esnext',
  '--moduleResolution',
  'bundler',
  '--lib',
  'es2023,dom,dom.iterable',
];

const GENERATORS = [
  {
    name: 'openapi-typescript',
    generate: ['openapi-typescript', 'openapi.json', '-o', 'types.ts'],
    strict: ['--exactOptionalPropertyTypes'],
    program: `import createClient from 'openapi-fetch';
import type { components, paths } from './types.ts';

type Round = components['schemas']['Round'];
type Named = [components['schemas']['Agent'], components['schemas']['Prediction'], components['schemas']['LeaderboardRow'], components['schemas']['Error']];

const baseUrl = process.env['HOURCAST_URL'] ?? '';
const anybody = createClient<paths>({ baseUrl });
const registered = await anybody.POST('/api/agents/register', { body: { name: 'stranger-types' } });
if (registered.data === undefined) throw new Error(registered.error.error);
const own = createClient<paths>({ baseUrl, headers: { authorization: \`Bearer \${registered.data.api_key}\` } });
const current = await own.GET('/api/rounds/current');
const round: Round | null | undefined = current.data?.round;
const [first] = round?.choices ?? [];
if (round == null || first === undefined) throw new Error('there must be a round');
const submitted = await own.POST('/api/predictions', { body: { round_id: round.id, prediction: first, confidence: 60 } });
if (submitted.data === undefined) throw new Error(submitted.error.code satisfies Named[3]['code']);
// @ts-expect-error A confidence is a number.
await own.POST('/api/predictions', { body: { round_id: round.id, prediction: first, confidence: '60' } });
const refused = await own.GET('/api/rounds/{round_id}', { params: { path: { round_id: 999 } } });
console.log(JSON.stringify([submitted.data.prediction.prediction, refused.error?.code, submitted.response.status]));
`,
  },
  {
    name: '@hey-api/openapi-ts',
    generate: ['openapi-ts', '-i', 'openapi.json', '-o', 'sdk'],
    // What it writes itself does not stand exact optional properties.
    strict: [],
    program: `import { getCurrentRound, getRound, register, submitPrediction } from './sdk';
import { client } from './sdk/client.gen';
import type { Agent, LeaderboardRow, Prediction, Round } from './sdk';

type Named = [Agent, LeaderboardRow, Prediction];
client.setConfig({ baseUrl: process.env['HOURCAST_URL'] ?? '' });
const registered = await register({ body: { name: 'stranger-sdk' }, throwOnError: true });
client.setConfig({ auth: registered.data.api_key });
const current = await getCurrentRound({ throwOnError: true });
const round: Round | null = current.data.round;
const [first] = round?.choices ?? [];
if (round === null || first === undefined) throw new Error('there must be a round');
const submitted = await submitPrediction({ body: { round_id: round.id, prediction: first, confidence: 60 }, throwOnError: true });
// @ts-expect-error A confidence is a number.
void (() => submitPrediction({ body: { round_id: 1, prediction: first, confidence: '60' } }));
const refused = await getRound({ path: { round_id: 999 } });
console.log(JSON.stringify([(submitted.data.prediction satisfies Named[2]).prediction, refused.error?.code, submitted.response.status]));
`,
  },
] as const;

const folder = await openFolder('hourcast-generators-');
cpSync(join(ROOT, 'test/clients/generators'), folder, { recursive: true });
const installed = spawnSync('npm', ['ci', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund'], {
  cwd: folder,
});
const isInstalled = installed.status === 0;
if (!isInstalled && process.env['CI'] === 'true')
  throw new Error(`npm ci of the generators: ${String(installed.stderr)}`);
const NAME = 'clients that strangers generate from the reference';

afterAll(() => rm(folder, { recursive: true }));

(isInstalled ? describe : describe.skip)(
  isInstalled ? NAME : `${NAME} (skipped: the generators cannot be installed)`,
  () => {
    let service: TestService;
    beforeAll(async () => {
      service = await startService();
      const reference = await fetch(`${service.url}/openapi.json`);
      writeFileSync(join(folder, 'openapi.json'), await reference.text());
    });
    afterAll(() => service.stop());

    test.each(GENERATORS)(
      'a strict program generated with $name type-checks and plays',
      async ({ name, generate, strict, program }) => {
        const [command = '', ...parameters] = generate;
        const made = await run([join(folder, 'node_modules/.bin', command), ...parameters], { cwd: folder });
        expect(made).toMatchObject({ code: 0 });
        const file = `program-${name.replaceAll(/\W/g, '-')}.mts`;
        writeFileSync(join(folder, file), program);
        const compiler = join(folder, 'node_modules/.bin/tsc');
        const types = [
          '--types',
          'node',
          '--typeRoots',
          join(ROOT, 'node_modules/@types'),
          '--allowImportingTsExtensions',
        ];
        const checked = await run([compiler, ...STRICT, ...strict, ...MODULES, ...types, file], { cwd: folder });
        expect(checked).toMatchObject({ code: 0, stdout: '' });
        const outfile = join(folder, file.replace('.mts', '.mjs'));
        await build({ entryPoints: [join(folder, file)], outfile, bundle: true, format: 'esm', platform: 'node' });
        const played = await run([process.execPath, outfile], { cwd: folder, env: { HOURCAST_URL: service.url } });
        expect({ code: played.code, stderr: played.stderr }).toEqual({ code: 0, stderr: '' });
        expect(JSON.parse(played.stdout)).toEqual([expect.any(String), 'unknown_round', 201]);
      },
    );
  },
);
