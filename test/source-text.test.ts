import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { basename } from 'node:path';

import { buildSchema } from 'graphql';

import { filesIn, isAmong } from './source-files.ts';

const MAX_LINES = 250;

/** What a line of the service or its page may hold only in the files named. */
const WORDS = [
  // The reference's programs have their key from there.
  { word: /process\.env/, only: ['src/main.ts', 'src/openapi/samples.ts'] },
  { word: /\bnew Date\(\)|\bDate\.now\b/, only: ['src/clock.ts'] },
  {
    word: /\bperformance\.now\b/,
    only: [
      'src/clock.ts',
      'src/database/embedded-postgres.ts',
      'src/database/embedded-postgres/',
      'dashboard/machine.ts',
    ],
  },
  // Documents have one executor, src/graphql/execution.ts.
  { word: /^import .*\bexecute\b.*from 'graphql'|^  execute,$/, only: [] },
  { word: /\bMath\.random\b|\brandomUUID\b/, only: [] },
  { word: /import .*\brandom\w+.*from 'node:crypto'/, only: ['src/app/app.ts'] },
  { word: /\b(default-src|frame-ancestors)\b/, only: ['src/http/policies.ts'] },
  // Programs that the page and the reference give to readers.
  { word: /\bconsole\./, only: ['dashboard/snippets.ts', 'src/openapi/samples.ts'] },
  // Of what a run may do without: the pretty lines; the service itself, for --help and a refusal of settings; a protocol; of
  // the page its other pages, the words of refusals, and what the first sight of one does not need.
  {
    word: /\bimport\(/,
    only: [
      'src/graphql/ide.ts',
      'src/logger.ts',
      'src/main.ts',
      'src/mcp/mcp-routes.ts',
      'src/pages/guides/guide-routes.ts',
      'src/pages/pictures/preview-png.ts',
      'dashboard/app.tsx',
      'dashboard/ask.ts',
      'dashboard/live.ts',
      'dashboard/pages/',
      'dashboard/parts/later.tsx',
    ],
  },
];

/** Arguments whose names REST spells another way. */
const ARGUMENTS = [
  ...new Set(
    [buildSchema(readFileSync('schema.graphql', 'utf8'))]
      .flatMap((schema) => [schema.getQueryType(), schema.getMutationType()])
      .flatMap((root) => Object.values(root?.getFields() ?? {}).flatMap(({ args }) => args.map(({ name }) => name)))
      .filter((name) => /[A-Z]/.test(name)),
  ),
];

const FILES = [...filesIn('src'), ...filesIn('dashboard')];

const FOLDERS = ['src', 'bin', 'scripts', 'dashboard', 'bench', 'clients', 'examples', 'test'];

test('paths from URLs are decoded, since a folder can have a space or an é', () => {
  const undecoded = FOLDERS.flatMap((folder) => filesIn(folder, /\.([cm]?js|tsx?)$/)).filter(({ lines }) => {
    const text = lines.join('\n');
    return text.includes('import.meta.url)') && /\b(url|URL|import\.meta\.url\))\.pathname/.test(text);
  });
  expect(undecoded.map(({ path }) => path)).toEqual([]);
});

test('a script checks its own name: the main module is bin/run.js, which starts it', () => {
  const asking = filesIn('scripts', /\.ts$/).filter(({ lines }) =>
    lines.some((line) => line.includes('import.meta.main')),
  );
  expect(asking.map(({ path }) => path)).toEqual([]);
});

describe('source files', () => {
  test.each(WORDS)('$word occurs only in $only', ({ word, only }) => {
    const found = FILES.filter(({ path }) => !isAmong(path, only)).flatMap(({ path, lines }) =>
      lines.flatMap((line, index) =>
        word.test(line) && !/^\s*(\/\/|\/?\*)/.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [],
      ),
    );
    expect(found).toEqual([]);
  });

  test(`a source file has at most ${MAX_LINES} lines, unless it is generated or a migration`, () => {
    const long = FILES.filter(
      ({ path, lines }) =>
        path !== 'src/resolvers/schema-types.ts' &&
        !path.startsWith('dashboard/documents/') &&
        !path.startsWith('src/entities/migrations/') &&
        lines.length - 1 > MAX_LINES,
    );
    expect(long.map(({ path, lines }) => `${path} has ${lines.length - 1} lines`)).toEqual([]);
  });

  test('a source file has a kebab-case name of its content', () => {
    const places = FILES.flatMap(({ path }) => path.split('/')).map((name) => basename(basename(name, '.tsx'), '.ts'));
    expect(places.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([]);
    expect(places.filter((name) => /^(utils?|helpers?|lib|common|misc|shared)$/.test(name))).toEqual([]);
  });
});

test('messages of REST do not have GraphQL’s argument names, which nameOf translates', () => {
  const named = new RegExp(String.raw`\b(${ARGUMENTS.join('|')})\b`);
  const folders = ['src/rules/', 'src/resolvers/', 'src/reads/', 'src/references/', 'src/forecasts/', 'src/webhooks/'];
  const sentences = FILES.filter(
    ({ path }) => isAmong(path, folders) && !isAmong(path, ['src/resolvers/schema-types.ts']),
  )
    .flatMap(({ path, lines }) => lines.map((line, index) => ({ place: `${path}:${index + 1}`, line })))
    .filter(({ line }) => !/^\s*(\/\/|\/?\*)/.test(line))
    .flatMap(({ place, line }) =>
      [...line.matchAll(/'([^']*)'|`([^`]*)`/g)].map(([, one, other]) => ({ place, text: one ?? other ?? '' })),
    )
    // SQL has columns of these names, in quotes or as the alias of a column.
    .map(({ place, text }) => ({ place, text: text.replaceAll(/\$\{[^}]*\}|"[^"]*"|->> '\w+'|^[\w.]+ as \w+$/g, '') }));
  expect(ARGUMENTS).toContain('questionType');
  expect(sentences.filter(({ text }) => / /.test(text.trim()) && named.test(text))).toEqual([]);
});
