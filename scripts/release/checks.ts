import { execFileSync, type ExecFileSyncOptions } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { olderThan } from '../../bench/measured-commits.ts';
import { isAbove } from '../../src/resolvers/changes.ts';
import { RULES_DIGESTS, RULES_VERSION } from '../../src/rules/versions.ts';
import { gitOutput } from '../git-output.ts';
import { digestOf } from '../golden/vectors.ts';
import type { Verdict } from '../verdict.ts';
import { sectionsOf, UNRELEASED } from './changelog.ts';
import { contractFiles, contractOf, judgeContract, releasedContract } from './contract/contract.ts';
import { versionsIn } from './versions.ts';

/** A release that is wanted, and the folder of its repository. */
export interface Wanted {
  readonly root: string;
  readonly version: string;
}

const MOST_WORDS = 400;

/** Each checks one condition of a release and changes nothing. */
export const CHECKS: readonly ((wanted: Wanted) => Verdict)[] = [
  judgeTree,
  judgeVersions,
  judgeTag,
  judgeChangelog,
  judgeDigest,
  judgeFigures,
  ({ root }) => judgeContract(releasedContract(root), contractOf(contractFiles()), changelogOf(root)),
  ({ root }) => judgePackage('the service', npmPack(root)),
  ({ root }) => judgePackage('the client for JavaScript', npmPack(join(root, 'clients/js'))),
  ({ root }) => judgePackage('the client for Python', (folder) => pythonWheel(root, folder)),
];

export function changelogOf(root: string): string {
  return readFileSync(join(root, 'CHANGELOG.md'), 'utf8');
}

const judged = (passes: boolean, good: string, bad: string): Verdict => ({ passes, sentence: passes ? good : bad });

function judgeTree({ root }: Wanted): Verdict {
  const changed = gitOutput(root, ['status', '--porcelain']);
  if (changed === null) return { passes: false, sentence: `Tree: ${root} must be a repository.` };
  const files = changed.split('\n').map((line) => line.trim());
  return judged(changed === '', 'Tree: clean.', `Tree: commit or remove first: ${files.join(', ')}.`);
}

/** A version that is written already may be finished, such as tagged. */
export function judgeVersions({ root, version }: Wanted): Verdict {
  const found = versionsIn(root);
  const [{ version: current } = { version: '' }] = found;
  const others = found.filter((one) => one.version !== current);
  const named = others.map((one) => `${one.path} has ${one.version}`);
  if (others.length > 0)
    return {
      passes: false,
      sentence: `Versions: all must be that of package.json, ${current}, but ${named.join(', ')}.`,
    };
  return judged(
    version === current || isAbove(version, current),
    `Versions: all are ${current}${version === current ? '' : `, and ${version} is above it`}.`,
    `Versions: the new version must be above ${current} (got ${version}).`,
  );
}

function judgeTag({ root, version }: Wanted): Verdict {
  const tag = `v${version}`;
  const isFree = gitOutput(root, ['rev-parse', '--verify', '--quiet', `refs/tags/${tag}`]) === null;
  return judged(isFree, `Tag: ${tag} is free.`, `Tag: ${tag} exists; a released version never changes.`);
}

function judgeChangelog({ root, version }: Wanted): Verdict {
  return judgeReleaseText(changelogOf(root), version);
}

/** The version's own section, or the unreleased one that becomes it, needs a text for people above a list. */
export function judgeReleaseText(changelog: string, version: string): Verdict {
  const sections = sectionsOf(changelog);
  const unreleased = sections.find(({ title }) => title === UNRELEASED);
  const own = sections.find(({ title }) => title === version);
  const { title, text, entries } = own ?? unreleased ?? { title: version, text: '', entries: [] };
  const words = text.split(/\s+/).filter((word) => word !== '').length;
  const faults = [
    ...(unreleased === undefined ? [`needs a section ${UNRELEASED}`] : []),
    ...(own !== undefined && unreleased && unreleased.entries.length > 0
      ? [
          `has ${unreleased.entries.length} entries under ${UNRELEASED}: move them to ${version} or release a greater version`,
        ]
      : []),
    ...(words > 0 && words <= MOST_WORDS
      ? []
      : [`needs a release text of 1 to ${MOST_WORDS} words above the list of ${title} (got ${words})`]),
    ...(entries.length > 0 ? [] : [`needs entries in ${title}`]),
  ];
  return judged(
    faults.length === 0,
    `Changelog: ${title} has a release text of ${words} words and ${entries.length} entries.`,
    `Changelog: it ${faults.join('; it ')}.`,
  );
}

function judgeDigest(): Verdict {
  const [digest, listed] = [digestOf(RULES_VERSION), RULES_DIGESTS[RULES_VERSION]];
  return judged(
    digest === listed,
    `Rules: version ${RULES_VERSION} has its digest.`,
    `Rules: the digest of version ${RULES_VERSION} must be ${listed} (got ${digest}); changed rules need a new version.`,
  );
}

/** `test/scripts/measured-commits.test.ts` would refuse them after the release. */
function judgeFigures({ root }: Wanted): Verdict {
  const old = olderThan(root, readFileSync(join(root, 'bench/results.md'), 'utf8'), 'HEAD');
  return judged(
    old.length === 0,
    'Figures: bench/results.md has those of these sources.',
    `Figures: ${old.length} tables of bench/results.md are of other sources; run npm run bench.`,
  );
}

/** `build` writes one file into a folder, which is removed afterwards. */
function judgePackage(name: string, build: (folder: string) => void): Verdict {
  const folder = mkdtempSync(join(tmpdir(), 'hourcast-release-'));
  try {
    build(folder);
    return { passes: true, sentence: `Package of ${name}: ${readdirSync(folder).join(', ')}.` };
  } catch (error) {
    const [line] = String(error instanceof Error && 'stderr' in error ? error.stderr : error)
      .trim()
      .split('\n')
      .slice(-1);
    return { passes: false, sentence: `Package of ${name}: it must build (${line}).` };
  } finally {
    rmSync(folder, { recursive: true });
  }
}

const QUIET: ExecFileSyncOptions = { stdio: ['ignore', 'ignore', 'pipe'], encoding: 'utf8' };

function npmPack(cwd: string): (folder: string) => void {
  return (folder) => execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { ...QUIET, cwd });
}

function pythonWheel(root: string, folder: string): void {
  execFileSync('python3', ['wheel_backend.py', folder], { ...QUIET, cwd: join(root, 'clients/python') });
}
