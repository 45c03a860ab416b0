import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { beforeAll, expect, test } from '@jest/globals';

import { ownFolder } from '../../support/own-folder.ts';

const ROOT = join(import.meta.dirname, '../../..');
const clone = join(ownFolder(), 'clone');
const CHANGELOG = join(clone, 'CHANGELOG.md');

const ENV = {
  GIT_AUTHOR_NAME: 'a',
  GIT_AUTHOR_EMAIL: 'a@localhost',
  GIT_COMMITTER_NAME: 'a',
  GIT_COMMITTER_EMAIL: 'a@localhost',
};
const environment = { ...process.env, ...ENV };

const git = (...args: string[]): string =>
  execFileSync('git', args, { cwd: clone, encoding: 'utf8', env: environment });

function release(...args: string[]) {
  const words = ['bin/run.js', 'scripts/release.ts', ...args];
  const { status, stdout, stderr } = spawnSync(process.execPath, words, {
    cwd: clone,
    encoding: 'utf8',
    env: environment,
  });
  return { status, lines: stdout.trimEnd().split('\n'), stderr };
}

const versionOf = (): string => JSON.parse(readFileSync(join(clone, 'package.json'), 'utf8')).version;
const failures = (lines: readonly string[]) => lines.filter((line) => line.startsWith('FAIL'));

/** This commit's files as a repository, as if its contract were released, with a release text above an entry. */
beforeAll(() => {
  execFileSync('git', ['clone', '--quiet', ROOT, clone]);
  symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'));
  writeFileSync(join(clone, '.git/info/exclude'), 'node_modules\n');
  const baseline =
    "import('./scripts/release/contract/contract.ts').then((m) => m.writeContract('.', m.contractFiles()))";
  execFileSync(process.execPath, ['--eval', baseline], { cwd: clone });
  const changelog = readFileSync(CHANGELOG, 'utf8');
  const [, older] = changelog.split(/^(?=## \d)/m);
  const rest = changelog.slice(changelog.indexOf(older ?? ''));
  writeFileSync(
    CHANGELOG,
    `# Changelog\n\n## Unreleased\n\nWords for people.\n\n### Added\n\n- A \`thing\`.\n\n${rest}`,
  );
  // Tables of other sources, which a check counts.
  writeFileSync(join(clone, 'bench/results.md'), '');
  git('commit', '--quiet', '--all', '--message', 'Describe the next version');
});

const NEXT = '97.0.0';

test('a dry run reports a line a check, and changes nothing', () => {
  const { status, lines } = release('--dry-run', '--version', NEXT);
  expect(failures(lines)).toEqual([]);
  expect([status, lines.at(-1)]).toEqual([0, `${NEXT} can be released.`]);
  expect(lines).toContainEqual(expect.stringMatching(/^ok {3}Package of the service: hourcast-\d+\.\d+\.\d+\.tgz\.$/));
  expect([git('status', '--porcelain'), git('tag', '--list', `v${NEXT}`)]).toEqual(['', '']);
});

test.each([
  [['--version', '0.0.1'], /^FAIL Versions: the new version must be above \d/],
  [['--version', 'next'], /^--version must be a version such as 0\.4\.0 \(got "next"\)\.$/],
])('%j is refused', (args, line) => {
  const { status, lines } = release(...args);
  expect([status, lines]).toEqual([1, expect.arrayContaining([expect.stringMatching(line)])]);
  expect(git('status', '--porcelain')).toBe('');
});

test('figures of other sources are refused', () => {
  const [first] = git('rev-list', '--max-parents=0', 'HEAD').split('\n');
  writeFileSync(join(clone, 'bench/results.md'), `2026-01-01 00:00 UTC, a machine, Node 24, commit ${first}\n`);
  const { status, lines } = release('--version', NEXT);
  expect([status, failures(lines)[1]]).toEqual([
    1,
    'FAIL Figures: 1 tables of bench/results.md are of other sources; run npm run bench.',
  ]);
  git('checkout', '--quiet', 'bench/results.md');
});

test('a tree with changes is refused', () => {
  writeFileSync(join(clone, 'new.txt'), 'new');
  const { status, lines } = release('--version', NEXT);
  expect([status, failures(lines)]).toEqual([1, ['FAIL Tree: commit or remove first: ?? new.txt.']]);
  rmSync(join(clone, 'new.txt'));
});

test('a release without its tag is finished by a second run, and a third is refused', () => {
  const before = git('rev-parse', 'HEAD');
  expect(release('--version', NEXT, '--no-tag').lines.at(-1)).toMatch(/is committed without a tag; nothing is pushed/);
  expect([versionOf(), git('status', '--porcelain'), git('tag', '--list', `v${NEXT}`)]).toEqual([NEXT, '', '']);
  expect(git('log', '--format=%s', `${before.trim()}..HEAD`)).toBe(`Release ${NEXT}\n`);
  expect(readFileSync(CHANGELOG, 'utf8')).toMatch(
    /^## Unreleased\n\n## 97\.0\.0 \(\d{4}-\d\d-\d\d\)\n\nWords for people\./m,
  );
  const [newest] = JSON.parse(readFileSync(join(clone, 'src/resolvers/changes.json'), 'utf8'));
  expect(newest).toMatchObject({ version: NEXT, kind: 'added', text: 'A `thing`.' });
  expect(release('--version', NEXT).lines.at(-1)).toMatch(/is committed and tagged v97\.0\.0; nothing is pushed/);
  expect(git('rev-parse', `v${NEXT}^{commit}`)).toBe(git('rev-parse', 'HEAD'));
  expect(readFileSync(join(clone, 'scripts/release/released/openapi.json'), 'utf8')).toContain(`"version": "${NEXT}"`);
  const { status, lines } = release('--version', NEXT);
  expect([status, failures(lines)]).toEqual([1, [`FAIL Tag: v${NEXT} exists; a released version never changes.`]]);
});

test('a breaking change after the release is refused until the changelog names it', () => {
  const file = join(clone, 'schema.graphql');
  writeFileSync(file, readFileSync(file, 'utf8').replace('kind: ChangeKind!', 'kind: ChangeKind'));
  expect(git('diff', '--name-only')).toBe('schema.graphql\n');
  const check = () =>
    spawnSync(process.execPath, ['bin/run.js', 'scripts/check-contract.ts'], { cwd: clone, encoding: 'utf8' });
  expect(check()).toMatchObject({
    status: 1,
    stdout: expect.stringContaining('`Change.kind`: Change.kind changed type from ChangeKind! to ChangeKind.'),
  });
  const entry = '## Unreleased\n\n### Changed\n\n- `Change.kind`, in REST `Change`, may be null.\n';
  writeFileSync(CHANGELOG, readFileSync(CHANGELOG, 'utf8').replace('## Unreleased\n', entry));
  expect(check()).toMatchObject({ status: 0, stdout: expect.stringContaining('2 breaking changes since 97.0.0') });
});
