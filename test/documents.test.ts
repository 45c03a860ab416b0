import { describe, expect, test } from '@jest/globals';
import { existsSync, globSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, normalize } from 'node:path';

import { readConfig, SETTING_NAMES } from '../src/config.ts';

const ROOT = join(import.meta.dirname, '..');
const DOCUMENTS = [
  'README.md',
  'ARCHITECTURE.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  ...globSync(['docs/*.md', 'docs/decisions/*.md', 'clients/*/README.md'], { cwd: ROOT }),
];
const SOURCES = ['src', 'dashboard', 'clients', 'test', 'scripts', 'bench', 'bin', 'deploy', '.ci'];

/** Names in back-ticks that belong to other programs: PostgreSQL, npm, browsers and GraphQL clients. */
const FOREIGN = new Set([
  'max_connections',
  'max_prepared_statements',
  'pg_basebackup',
  'pg_dump',
  'pg_stat_activity',
  'proxy_next_upstream',
  'http_503',
  'pg_total_relation_size',
]);

const FOLDER = /^(src|dashboard|clients|test|docs|scripts|bench|bin|\.ci|\.github)\//;
const FILE_NAME = /^[\w-]+(\.[\w-]+)*\.(ts|md|mjs|cjs|js)$/;
const IDENTIFIER = /^[A-Za-z_$][\w$]*(\(\))?(\.[A-Za-z_$][\w$]*(\(\))?)*$/;
/** Names that only a program has: camelCase, PascalCase of two words or more, snake_case and CONSTANT_CASE. */
const TECHNICAL =
  /^([a-z][\da-z]*[A-Z][\w$]*|[A-Z][a-z\d]+[A-Z][\w$]*|[a-z][a-z\d]*(_[a-z\d]+)+|[A-Z\d]+(_[A-Z\d]+)+)$/;

interface Line {
  /** Such as `docs/faults.md:12`. */
  readonly place: string;
  readonly text: string;
  readonly isCode: boolean;
}

const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8');

function linesOf(document: string): Line[] {
  let isCode = false;
  return read(document)
    .split('\n')
    .map((text, index) => {
      const isFence = text.trimStart().startsWith('```');
      if (isFence) isCode = !isCode;
      return { place: `${document}:${index + 1}`, text, isCode: isCode || isFence };
    });
}

const lines = DOCUMENTS.filter((document) => existsSync(join(ROOT, document))).flatMap(linesOf);
const prose = lines.filter(({ isCode }) => !isCode);
const sourceFiles = SOURCES.flatMap((folder) =>
  readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    // The peers of bench/ are a package of their own.
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => normalize(join(entry.parentPath, entry.name)).slice(ROOT.length + 1)),
);
const wordsOf = (text: string): Set<string> => new Set(text.match(/[A-Za-z_$][\w$]*/g));
const words = wordsOf(
  [
    ...sourceFiles.filter((path) => path !== 'test/documents.test.ts'),
    'schema.graphql',
    'package.json',
    '.oxlintrc.json',
  ]
    .map(read)
    .concat(lines.filter(({ isCode }) => isCode).map(({ text }) => text))
    .join('\n'),
);

const spansOf = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, span = '']) => span);

/**
 * Paths of a line. A file's name without a folder lies in the one named before it (`src/rules/pnl.ts`, `ranking.ts`),
 * and so does a suite that is listed behind another (`test/rest/limits`, `races`).
 */
function pathsOf(text: string): string[] {
  let folder = '';
  let endOfSuite = -1;
  return [...text.matchAll(/`([^`]+)`/g)].flatMap(({ 0: whole, 1: span = '', index }) => {
    const isPath = FOLDER.test(span) && !/[<{ ]/.test(span);
    const isSuite = text.slice(endOfSuite, index) === ', ' && /^[a-z][a-z\d-]*$/.test(span);
    if (!isPath && !FILE_NAME.test(span) && !isSuite) return [];
    if (isPath) folder = isFolder(span) ? normalize(`${span}/`) : `${dirname(span)}/`;
    if (isSuite || (isPath && /^test\/[\w/-]+$/.test(span))) endOfSuite = index + whole.length;
    return [isPath || existsSync(join(ROOT, span)) ? span : inFolder(folder, span)];
  });
}

const isFolder = (path: string): boolean =>
  statSync(join(ROOT, path), { throwIfNoEntry: false })?.isDirectory() ?? false;

function inFolder(folder: string, name: string): string {
  const anywhere = folder === '' ? sourceFiles.find((path) => basename(path) === name) : undefined;
  return anywhere ?? `${folder}${name}`;
}

/** Files, folders, patterns, and suites without their ending. */
const exists = (path: string): boolean =>
  path.includes('*')
    ? globSync(path, { cwd: ROOT }).length > 0
    : [path, `${path}.test.ts`, `${path}.ts`].some((candidate) => existsSync(join(ROOT, candidate)));

/** Files in a picture, whose names stand without back-ticks: `{rotation,asking}.ts` are two. */
const filesInPicture = (text: string): string[] =>
  [...text.matchAll(/([\w/-]*)(?:\{([\w,-]+)\})?([\w-]*\.ts)\b/g)].flatMap(([, start = '', several = '', end = '']) =>
    several
      .split(',')
      .map((one) => `${start}${one}${end}`)
      .filter((name) => /\w\.ts$/.test(name)),
  );

const isFile = (name: string): boolean => sourceFiles.some((path) => `/${path}`.endsWith(`/${name}`));

/** What is wrong with a path, and where a file of its name lies now. */
function missing(path: string): string {
  const name = basename(path).replace(/(\.test)?\.ts$/, '');
  const now = sourceFiles.filter((file) => basename(file).replace(/(\.test)?\.ts$/, '') === name);
  return `no file ${path}${now.length > 0 ? `; there is ${now.join(', ')}` : ''}`;
}

/** The headings of a document as GitHub writes them in addresses. */
function anchorsOf(document: string): string[] {
  return linesOf(document).flatMap(({ text, isCode }) => {
    const [, heading] = /^#+ (.*)$/.exec(text) ?? [];
    if (isCode || heading === undefined) return [];
    return [
      heading
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-'),
    ];
  });
}

function brokenLink(target: string, from: string): string | null {
  const [path = '', anchor] = target.split('#');
  const document = path === '' ? from : normalize(join(dirname(from), path));
  if (!existsSync(join(ROOT, document))) return `no file ${document}`;
  if (anchor === undefined || anchorsOf(document).includes(anchor)) return null;
  return `no heading #${anchor} in ${document}`;
}

describe('documents', () => {
  test('documents name only existing files', () => {
    const wrong = prose.flatMap(({ place, text }) =>
      pathsOf(text)
        .filter((path) => !exists(path))
        .map((path) => `${place}: ${missing(path)}`),
    );
    expect(wrong).toEqual([]);
  });

  test('diagrams in ARCHITECTURE.md name only existing files', () => {
    const wrong = lines
      .filter(({ isCode, place }) => isCode && place.startsWith('ARCHITECTURE.md'))
      .flatMap(({ place, text }) =>
        filesInPicture(text)
          .filter((name) => !isFile(name))
          .map((name) => `${place}: ${name}`),
      );
    expect(wrong).toEqual([]);
  });

  test('documents name only identifiers of the sources', () => {
    const wrong = prose.flatMap(({ place, text }) =>
      spansOf(text)
        .filter((span) => IDENTIFIER.test(span) && !FILE_NAME.test(span))
        .flatMap((span) => span.replaceAll('()', '').split('.'))
        .filter((name) => TECHNICAL.test(name) && !words.has(name) && !FOREIGN.has(name))
        .map((name) => `${place}: nothing in ${SOURCES.join(', ')} or schema.graphql is called ${name}`),
    );
    expect(wrong).toEqual([]);
  });

  // As in: `stepOf`, `nextTry` in `src/jobs/resolve/next-try.ts`.
  test('documents name identifiers in files that have them', () => {
    const wrong = prose.flatMap(({ place, text }) =>
      [...text.matchAll(/((?:`[\w.]+`(?:, | and )?)+) (?:in|of) `((?:src|test|scripts)\/[\w./-]+\.ts)`/g)].flatMap(
        ([, names = '', path = '']) => {
          if (!existsSync(join(ROOT, path))) return [];
          const held = wordsOf(read(path));
          return spansOf(names)
            .flatMap((name) => (FILE_NAME.test(name) ? [] : name.split('.')))
            .filter((name) => /^\w+$/.test(name) && !held.has(name))
            .map((name) => `${place}: there is no ${name} in ${path}`);
        },
      ),
    );
    expect(wrong).toEqual([]);
  });

  test('documents name only scripts of package.json', () => {
    const { scripts }: { scripts: Record<string, string> } = JSON.parse(read('package.json'));
    const wrong = lines.flatMap(({ place, text }) =>
      [...text.matchAll(/\bnpm (?:run )?(start|test|(?<=run )[\w:-]+)/g)]
        .filter(([, script = '']) => scripts[script] === undefined)
        .map(([command]) => `${place}: package.json has no script for "${command}"`),
    );
    expect(wrong).toEqual([]);
  });

  test('documents link to existing documents and headings', () => {
    const wrong = prose.flatMap(({ place, text }) =>
      [...text.matchAll(/\]\(([^)\s]+)\)/g)].flatMap(([, target = '']) => {
        if (/^https?:/.test(target)) return [];
        const problem = brokenLink(target, place.replace(/:\d+$/, ''));
        return problem === null ? [] : [`${place}: ${problem}`];
      }),
    );
    expect(wrong).toEqual([]);
  });
});

/** A reader's patience with a cell of a table, in characters. */
const LONGEST_CELL = 300;

test('each table cell has at most the maximum length', () => {
  const tables = [...DOCUMENTS, 'bench/README.md'].flatMap(linesOf);
  const wrong = tables
    .filter(({ text, isCode }) => !isCode && text.startsWith('|'))
    .flatMap(({ place, text }) =>
      text
        .split(/(?<!\\)\|/)
        .filter((cell) => cell.trim().length > LONGEST_CELL)
        .map((cell) => `${place}: ${cell.trim().length} characters: ${cell.trim().slice(0, 60)}`),
    );
  expect(wrong).toEqual([]);
});

describe('docs/settings.md', () => {
  const rows = [...read('docs/settings.md').matchAll(/^\| `([A-Z_]+)` \| ([^|]+) \|/gm)];
  const { port, inEffect } = readConfig({});
  const defaults: Readonly<Record<string, string>> = { PORT: String(port), ...inEffect };

  test('docs/settings.md has a row for each setting of src/config.ts, in its order', () => {
    expect(rows.map(([, name]) => name)).toEqual(SETTING_NAMES);
  });

  test.each(rows.map(([, name = '', shown = '']) => ({ name, shown })))(
    'docs/settings.md has the default of $name',
    ({ name, shown }) => {
      expect(shown.replaceAll('`', '')).toBe(defaults[name] || 'unset');
    },
  );

  test('.env.example has the same settings, all commented out', () => {
    const example = read('.env.example')
      .split('\n')
      .filter((line) => line !== '');
    expect(example.filter((line) => !line.startsWith('#'))).toEqual([]);
    expect(example.flatMap((line) => /^#([A-Z_]+)=/.exec(line)?.[1] ?? [])).toEqual(SETTING_NAMES);
  });
});
