import { gitOutput } from '../scripts/git-output.ts';

/** The line of a result with its time and commit; results.ts writes it. */
const MEASURED = /^(\d{4}-\d\d-\d\d \d\d:\d\d) UTC, .*, commit ([\da-f]+)$/gm;

/**
 * Lines of bench/results.md that were measured before the newest release: its tag, else the commit that set the package's version.
 * Empty without a repository, and for a shallow clone without tags. A release may have been measured shortly before its tag, with
 * the same sources.
 */
export function olderThanRelease(folder: string, results: string, version: string): readonly string[] {
  const git = (...args: string[]): string | null => gitOutput(folder, args);
  const isWhole = git('rev-parse', '--is-shallow-repository') === 'false';
  const setVersion = () =>
    git('log', '--format=%H', `-S"version": "${version}"`, '--', 'package.json')?.split('\n').at(-1);
  const release = git('describe', '--tags', '--abbrev=0', '--match=v*') ?? (isWhole ? setVersion() : null);
  return release ? olderThan(folder, results, release) : [];
}

/**
 * Lines measured before a commit with other sources; JSON of `src` is none, as a release writes its version there. Commits that were
 * rewritten since count by their time.
 */
export function olderThan(folder: string, results: string, release: string): readonly string[] {
  const git = (...args: string[]): string | null => gitOutput(folder, args);
  const released = git('log', '-1', '--format=%ct', release);
  if (released === null) return [];
  const isOlder = ([, at, commit = '']: RegExpMatchArray): boolean => {
    if (git('cat-file', '-e', commit) === null) return Date.parse(`${at}Z`) / 1000 < Number(released);
    const follows = git('merge-base', '--is-ancestor', release, commit) !== null;
    return !follows && git('diff', '--quiet', commit, release, '--', 'src', ':(exclude)src/*.json') === null;
  };
  return [...results.matchAll(MEASURED)].filter(isOlder).map(([line]) => line);
}
