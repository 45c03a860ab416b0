import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

import { describe, expect, test } from '@jest/globals';

import { releasedEntries, sectionsOf, withRelease } from '../../../scripts/release/changelog.ts';
import { judgeReleaseText, judgeVersions } from '../../../scripts/release/checks.ts';
import { versionsIn, writeVersions } from '../../../scripts/release/versions.ts';
import { ownRepository } from '../own-repository.ts';

const ROOT = join(import.meta.dirname, '../../..');
const PATHS = [
  'package.json',
  'package-lock.json',
  'clients/js/package.json',
  'clients/python/src/hourcast/__init__.py',
  'docs/clients.md',
  'src/openapi/examples.json',
];

const { folder } = ownRepository();
for (const path of PATHS) {
  mkdirSync(dirname(join(folder, path)), { recursive: true });
  copyFileSync(join(ROOT, path), join(folder, path));
}

const words = (count: number): string => 'word '.repeat(count);

const LIST = '### Added\n\n- One\n  thing.\n- Another.\n\n### Changed: look\n\n- A third.\n';
const changelog = (unreleased: string, rest = ''): string => `# Changelog\n\n## Unreleased\n\n${unreleased}\n${rest}`;
const OLD = '## 1.0.0 (2026-01-31)\n\n### Fixed\n\n- An old one.\n';

describe('versions', () => {
  test('those of this tree agree, and every place is written', () => {
    const { version } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
    expect([...new Set(versionsIn(ROOT).map((one) => one.version))]).toEqual([version]);
    writeVersions(folder, '98.7.6');
    expect([...new Set(versionsIn(folder).map(({ path }) => path))]).toEqual(PATHS);
    expect([...new Set(versionsIn(folder).map((one) => one.version))]).toEqual(['98.7.6']);
    expect(JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')).packages[''].version).toBe('98.7.6');
    expect(readFileSync(join(folder, 'docs/clients.md'), 'utf8')).toContain('hourcast-98.7.6-py3-none-any.whl');
  });

  test.each([
    ['98.7.7', true],
    ['98.10.0', true],
    ['98.7.6', true],
    ['98.7.5', false],
    ['9.9.9', false],
  ])('%s after 98.7.6 passes: %s', (version, passes) => {
    expect(judgeVersions({ root: folder, version }).passes).toBe(passes);
  });

  test('one that differs is refused by its place', () => {
    writeFileSync(join(folder, 'clients/python/src/hourcast/__init__.py'), '__version__ = "98.7.5"\n');
    expect(judgeVersions({ root: folder, version: '99.0.0' })).toEqual({
      passes: false,
      sentence:
        'Versions: all must be that of package.json, 98.7.6, but clients/python/src/hourcast/__init__.py has 98.7.5.',
    });
  });
});

describe('the changelog', () => {
  test('sections have text, entries on one line with kinds, and days', () => {
    expect(sectionsOf(changelog(`Words for\npeople.\n\n${LIST}`, OLD))).toEqual([
      {
        title: 'Unreleased',
        date: null,
        text: 'Words for\npeople.',
        entries: [
          { kind: 'added', text: 'One thing.' },
          { kind: 'added', text: 'Another.' },
          { kind: 'changed', text: 'A third.' },
        ],
      },
      { title: '1.0.0', date: '2026-01-31', text: '', entries: [{ kind: 'fixed', text: 'An old one.' }] },
    ]);
  });

  test('only entries of released versions are published', () => {
    const text = changelog(LIST, OLD);
    expect(releasedEntries(text).map((entry) => entry.text)).toEqual(['An old one.']);
    const released = releasedEntries(withRelease(text, '1.1.0', '2026-02-28'));
    expect(released.map(({ version, date }) => `${version} ${date}`)).toEqual([
      ...Array<string>(3).fill('1.1.0 2026-02-28'),
      '1.0.0 2026-01-31',
    ]);
    expect(sectionsOf(withRelease(text, '1.1.0', '2026-02-28'))[0]).toMatchObject({ title: 'Unreleased', entries: [] });
  });

  test.each(['## 1.0.0\n', '## 1.0.0 (31.1.2026)\n', '## Soon\n', '### Improved\n\n- It.\n'])(
    '%j is refused',
    (heading) => {
      expect(() => sectionsOf(changelog('', heading))).toThrow(/^A (section|group)/);
    },
  );

  test.each([
    ['with 400 words', changelog(`${words(400)}\n\n${LIST}`), true],
    ['with 401 words', changelog(`${words(401)}\n\n${LIST}`), false],
    ['without words', changelog(LIST), false],
    ['without a list', changelog('Words.'), false],
    ['written already', changelog('', `## 1.1.0 (2026-02-28)\n\nWords.\n\n${LIST}`), true],
    ['written already, with later entries', changelog(LIST, `## 1.1.0 (2026-02-28)\n\nWords.\n\n${LIST}`), false],
    ['without an unreleased section', `# Changelog\n\n## 1.1.0 (2026-02-28)\n\nWords.\n\n${LIST}`, false],
  ])('a release %s passes: %s', (_what, text, passes) => {
    expect(judgeReleaseText(text, '1.1.0').passes).toBe(passes);
  });
});
