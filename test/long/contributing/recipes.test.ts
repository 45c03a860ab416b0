import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { execFile } from 'node:child_process';
import { existsSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { openFolder } from '../../support/data-folder.ts';
import { until } from '../../support/poll.ts';
import { launch } from '../../support/process.ts';
import { processDatabase } from '../../support/process-database.ts';

/* Each recipe of CONTRIBUTING.md, applied to a copy of the clone: the suites that guard it pass, and the service has it. */

const ROOT = join(import.meta.dirname, '../../..');
/** The clone's own history, packages, data and results stay. */
const NOT_COPIED = /^(\.git|node_modules|\.data.*|dist|coverage|screenshots)$/;
const NAMES = ['a setting', 'an export column', 'a job', 'a sum'] as const;
const GUARDS = [
  'test/config.test.ts',
  'test/documents.test.ts',
  'test/imports.test.ts',
  'test/source-text.test.ts',
  'test/operating/deploy-files.test.ts',
  'test/pages/guides/tables.test.ts',
  'test/entities/.*schema.*',
];

const execute = promisify(execFile);
let copy: string;

interface Recipe {
  /** What package.json is to run. */
  readonly scripts: readonly string[];
  readonly diff: readonly string[];
}

function recipe(name: string): Recipe {
  const text = readFileSync(join(ROOT, 'CONTRIBUTING.md'), 'utf8').split(`\n### Add ${name}\n`)[1] ?? '';
  const [section = ''] = text.split(/\n##+ /);
  const [, diff = ''] = /^```diff\n([^]*?)\n```$/m.exec(section) ?? [];
  return {
    scripts: [...section.matchAll(/`npm run ([\w:-]+)`/g)].map(([, script = '']) => script),
    diff: diff.split('\n'),
  };
}

/** A diff names a file, then the beginning of one of its lines, then the lines to put behind it; a new file has only lines. */
function apply(diff: readonly string[]): void {
  let file = '';
  let place = 0;
  const edited = new Map<string, string[]>();
  for (const line of diff) {
    const lines = edited.get(file) ?? [];
    if (line.startsWith('+')) {
      lines.splice(place, 0, line.slice(1));
      place += 1;
    } else if (line.startsWith(' ')) {
      const beginning = line.slice(1);
      const found = lines.flatMap((one, index) => (one.startsWith(beginning) ? [index] : []));
      if (found.length !== 1)
        throw new Error(`${file} must have one line that begins so (got ${found.length}): ${line}`);
      place = (found[0] ?? 0) + 1;
    } else {
      file = line;
      place = 0;
      const path = join(copy, file);
      edited.set(file, edited.get(file) ?? (existsSync(path) ? readFileSync(path, 'utf8').split('\n') : ['']));
    }
  }
  for (const [path, lines] of edited) writeFileSync(join(copy, path), lines.join('\n'));
}

async function run(...words: readonly string[]): Promise<void> {
  await execute(process.execPath, words, { cwd: copy, maxBuffer: 1e8 }).catch(({ stdout, stderr }) => {
    throw new Error(`${words.join(' ')} must succeed (got ${stdout}${stderr})`);
  });
}

beforeAll(async () => {
  copy = await openFolder('hourcast-recipes-');
  await cp(ROOT, copy, {
    recursive: true,
    filter: (path) => !NOT_COPIED.test(path.slice(ROOT.length + 1)),
  });
  symlinkSync(join(ROOT, 'node_modules'), join(copy, 'node_modules'));
  const { scripts }: { scripts: Record<string, string> } = JSON.parse(readFileSync(join(copy, 'package.json'), 'utf8'));
  for (const { diff, scripts: needed } of NAMES.map(recipe)) {
    apply(diff);
    for (const name of needed) await run(...(scripts[name] ?? '').split(' ').slice(2));
  }
});
afterAll(() => rm(copy, { recursive: true, force: true }));

test.each(NAMES)('the recipe for %s has a diff of existing places', (name) => {
  expect(recipe(name).diff.filter((line) => line.startsWith('+')).length).toBeGreaterThan(0);
});

test('the types and the suites that guard settings, documents, imports and tables accept all four', async () => {
  await run('node_modules/typescript/bin/tsc');
  await run('bin/run.js', 'node_modules/jest/bin/jest.js', '--ci', '--maxWorkers=1', ...GUARDS);
});

test('a service of the copy has the column, executes the job and keeps the sum', async () => {
  await using database = await processDatabase();
  const command = [process.execPath, join(copy, 'bin/hourcast.js')];
  await using service = await launch(
    { ...database.settings, MOTTO: 'hourly', LOG_LEVEL: 'info', CLOCK_SPEED: '720' },
    command,
  );
  expect(service.output()).toMatch(/"MOTTO":"hourly"/);

  const keys: string[] = [];
  for (const name of ['cook', 'guest']) keys.push((await service.post('/api/agents/register', { name })).body.api_key);
  await database.client.query(`insert into refusals (round_id, agent_id, refusals, reason, refused_at)
    select min(r.id), min(a.id), 1, 'RATE_LIMITED', min(r.start_time) - interval '25 hours' from rounds r, agents a`);
  const refusals = async (): Promise<number> =>
    (await database.client.query<{ n: number }>('select count(*)::int as n from refusals')).rows[0]?.n ?? -1;
  await until('the job removes the refusal', async () => (await refusals()) === 0);

  let answered = 0;
  // In each round once: a peer score is 0 where neither of the two answers wins.
  const answerDifferently = async (): Promise<void> => {
    const { round } = (await service.get('/api/rounds/current')).body;
    if (round === null || round.id === answered) return;
    answered = round.id;
    await Promise.all(
      keys.map((key, index) => {
        const prediction = { round_id: round.id, prediction: round.choices[index], confidence: 60 };
        return service.post('/api/predictions', prediction, key);
      }),
    );
  };
  const sums = async (): Promise<readonly { kept: string; own: string }[]> =>
    (
      await database.client
        .query(`select alltime_peer_square_sum::text as kept, sum(s.peer_millionths::numeric ^ 2)::int8::text as own
        from standings t join scores s on s.agent_id = t.agent_id group by t.agent_id`)
    ).rows;
  await until('a peer score', async () => {
    await answerDifferently();
    return (await sums()).some(({ own }) => Number(own) > 0);
  });
  for (const { kept, own } of await sums()) expect(kept).toBe(own);
  const exported = await (await fetch(`${service.url}/api/export/predictions?format=csv`)).text();
  const [heading = [], first = []] = exported.split('\n').map((line) => line.split(','));
  expect(Number(first[heading.indexOf('pnl_whole')])).toBe(Math.round(Number(first[heading.indexOf('pnl_usd')])));
});
