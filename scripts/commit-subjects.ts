import { gitOutput } from './git-output.ts';
import { printVerdict, type Verdict } from './verdict.ts';

/** CONTRIBUTING.md, "Commits". */
const LONGEST_SUBJECT = 72;

/** The last commit before this check; longer subjects precede it. The newest tag replaces it. */
const FIRST_CHECKED_AFTER = 'c3293bbca72240aa858b5df35905c3887514f640';

/** Judges the subjects of a repository's commits since its newest tag. Passes with a note without a repository. */
export function judgeCommits(folder: string, firstCheckedAfter = FIRST_CHECKED_AFTER): Verdict {
  const git = (...args: string[]): string | null => gitOutput(folder, args);
  if (git('rev-parse', 'HEAD') === null) return { passes: true, sentence: 'Commits are not checked: no repository.' };
  const start = git('describe', '--tags', '--abbrev=0', '--match=v*') ?? firstCheckedAfter;
  // A shallow clone may lack the start: then every commit in it is younger.
  const since = git('merge-base', start, 'HEAD');
  const range = since === null ? 'HEAD' : `${since}..HEAD`;
  return judgeSubjects(git('log', '--no-merges', '--format=%h %s', range) ?? '');
}

/** Judges lines of abbreviated hash and subject. */
export function judgeSubjects(log: string): Verdict {
  const lines = log.split('\n').filter((line) => line !== '');
  const long = lines.filter((line) => line.slice(line.indexOf(' ') + 1).length > LONGEST_SUBJECT);
  return long.length === 0
    ? { passes: true, sentence: `Commits: ${lines.length} subjects have at most ${LONGEST_SUBJECT} characters.` }
    : { passes: false, sentence: [`Subjects over ${LONGEST_SUBJECT} characters:`, ...long].join('\n') };
}

if (process.argv[1] === import.meta.filename) printVerdict(judgeCommits(import.meta.dirname));
