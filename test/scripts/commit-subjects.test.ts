import { expect, test } from '@jest/globals';

import { judgeCommits, judgeSubjects } from '../../scripts/commit-subjects.ts';
import { ownRepository } from './own-repository.ts';

const LONG = 'x'.repeat(73);

const { folder, git } = ownRepository();
const commit = (subject: string): string => git('commit', '--quiet', '--allow-empty', '--message', subject);

test('a subject has at most 72 characters; longer ones are listed', () => {
  expect(judgeSubjects(`1234567 ${'x'.repeat(72)}\n`).passes).toBe(true);
  expect(judgeSubjects(`1234567 ${LONG}\n89abcde Short`)).toEqual({
    passes: false,
    sentence: `Subjects over 72 characters:\n1234567 ${LONG}`,
  });
});

test('commits count from the newest tag, else from a named commit, else from the root', () => {
  expect(judgeCommits(folder)).toEqual({ passes: true, sentence: 'Commits are not checked: no repository.' });
  git('init', '--quiet');
  commit(LONG);
  const root = git('rev-parse', 'HEAD').trim();
  commit('Short');
  expect(judgeCommits(folder).passes).toBe(false);
  expect(judgeCommits(folder, root).passes).toBe(true);
  commit(LONG);
  expect(judgeCommits(folder, root).passes).toBe(false);
  git('tag', 'v9.9.9');
  expect(judgeCommits(folder, root).sentence).toBe('Commits: 0 subjects have at most 72 characters.');
});
