import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { sectionsOf, UNRELEASED, withRelease } from './release/changelog.ts';
import { changelogOf, CHECKS, type Wanted } from './release/checks.ts';
import { contractFiles, writeContract } from './release/contract/contract.ts';
import { versionsIn, writeVersions } from './release/versions.ts';

/*
 * Checks a release, then writes, commits and tags it: `npm run release -- [--version 0.4.0] [--dry-run] [--no-tag]`.
 * Nothing is pushed or published. A second run finishes what a first one has begun.
 */
const ROOT = join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: { version: { type: 'string' }, 'dry-run': { type: 'boolean' }, 'no-tag': { type: 'boolean' } },
});
const wanted: Wanted = { root: ROOT, version: values.version ?? nextVersion() };

if (!/^(0|[1-9]\d*)(\.(0|[1-9]\d*)){2}$/.test(wanted.version)) {
  fail(`--version must be a version such as 0.4.0 (got "${wanted.version}").`);
} else if (!allPass()) {
  fail(`${wanted.version} cannot be released before that is mended.`);
} else if (values['dry-run'] === true) {
  print(`${wanted.version} can be released.`);
} else {
  write();
  commitAndTag();
}

/** The version of unreleased entries: the next minor one; without any, the version as written. */
function nextVersion(): string {
  const [{ version } = { version: '' }] = versionsIn(ROOT);
  const [major = '', minor = ''] = version.split('.');
  const waiting = sectionsOf(changelogOf(ROOT)).find(({ title }) => title === UNRELEASED)?.entries ?? [];
  return waiting.length === 0 ? version : `${major}.${Number(minor) + 1}.0`;
}

function allPass(): boolean {
  const verdicts = CHECKS.map((check) => check(wanted));
  for (const { passes, sentence } of verdicts) print(`${passes ? 'ok  ' : 'FAIL'} ${sentence}`);
  return verdicts.every(({ passes }) => passes);
}

function write(): void {
  const { version } = wanted;
  const changelog = changelogOf(ROOT);
  const isWritten = sectionsOf(changelog).some(({ title }) => title === version);
  const day = new Date().toISOString().slice(0, 10);
  if (!isWritten) writeFileSync(join(ROOT, 'CHANGELOG.md'), withRelease(changelog, version, day));
  writeVersions(ROOT, version);
  // Without the tag it is not released yet, and later changes are compared with the release before.
  if (values['no-tag'] !== true) writeContract(ROOT, contractFiles(version));
  // They read the files that were just written.
  for (const script of ['codegen', 'codegen:clients', 'docs:tables'])
    execFileSync('npm', ['run', '--silent', script], { cwd: ROOT });
}

function commitAndTag(): void {
  const { version } = wanted;
  git('add', '--all');
  if (git('status', '--porcelain') !== '') git('commit', '--quiet', '--message', `Release ${version}`);
  if (values['no-tag'] !== true) git('tag', '--annotate', `v${version}`, '--message', `Version ${version}`);
  const done = values['no-tag'] === true ? 'is committed without a tag' : `is committed and tagged v${version}`;
  print(`${version} ${done}; nothing is pushed or published.`);
}

function git(...args: string[]): string {
  return execFileSync('git', args, { cwd: ROOT, encoding: 'utf8' });
}

function fail(sentence: string): void {
  print(sentence);
  process.exitCode = 1;
}

function print(line: string): void {
  process.stdout.write(`${line}\n`);
}
