import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const MAX_LINES = 250;

interface SourceFile {
  /** From the project's folder, such as `src/rules/hours.ts`. */
  readonly path: string;
  readonly lines: readonly string[];
  readonly imports: readonly Import[];
}

interface Import {
  readonly line: number;
  /** A file of ours from the project's folder, or a package's name as it stands. */
  readonly target: string;
}

const PORTS = ['src/backplane/backplane.ts'];
/** How SQL of a hot path is named and run; whose connections it takes is decided in src/app. */
const STATEMENTS = 'src/database/statements.ts';
/** Which server answers a read is decided there; others hand the read over. */
const READS = 'src/database/reads.ts';
const RESOLVERS = [
  'src/rules/',
  'src/entities/',
  'src/reads/',
  'src/market/market.ts',
  'src/references/',
  ...PORTS,
  'src/feed/',
  'src/limits.ts',
  'src/clock.ts',
  'src/deadline.ts',
  'src/groups.ts',
  STATEMENTS,
  READS,
];

/** What the files of a folder import beside one another; packages and node:* where `packages` says so. */
const FOLDERS = [
  { folder: 'src/rules/', packages: false, imports: [] },
  { folder: 'src/entities/', packages: true, imports: ['src/rules/'] },
  {
    folder: 'src/database/',
    packages: true,
    imports: ['src/rules/', 'src/entities/', 'src/limits.ts', 'src/logger.ts', 'src/deadline.ts', 'src/in-flight.ts'],
  },
  { folder: 'src/market/', packages: true, imports: ['src/rules/', 'src/in-flight.ts'] },
  {
    folder: 'src/backplane/',
    packages: true,
    imports: ['src/rules/', 'src/database/', 'src/limits.ts', 'src/in-flight.ts', 'src/deadline.ts'],
  },
  {
    folder: 'src/feed/',
    packages: true,
    imports: [
      'src/rules/',
      'src/entities/',
      ...PORTS,
      'src/http/parameters.ts',
      'src/limits.ts',
      'src/clock.ts',
      'src/in-flight.ts',
      'src/deadline.ts',
      STATEMENTS,
    ],
  },
  {
    folder: 'src/reads/',
    packages: true,
    imports: ['src/rules/', 'src/entities/', 'src/limits.ts', 'src/clock.ts', 'src/deadline.ts', STATEMENTS],
  },
  {
    folder: 'src/references/',
    packages: true,
    imports: [
      'src/rules/',
      'src/entities/',
      'src/reads/',
      'src/market/market.ts',
      'src/clock.ts',
      'src/deadline.ts',
      'src/groups.ts',
    ],
  },
  { folder: 'src/resolvers/', packages: true, imports: RESOLVERS },
  {
    folder: 'src/jobs/',
    packages: true,
    imports: [...RESOLVERS, 'src/database/failures.ts', 'src/in-flight.ts'],
  },
  {
    folder: 'src/http/',
    packages: true,
    imports: [
      'src/rules/',
      // Requests that are answered before a context is made for them are counted all the same.
      'src/backplane/backplane.ts',
      'src/database/failures.ts',
      'src/limits.ts',
      'src/clock.ts',
      'src/deadline.ts',
      'src/logger.ts',
    ],
  },
  {
    folder: 'src/rest/',
    packages: true,
    imports: [
      'src/rules/errors.ts',
      'src/rules/address-key.ts',
      // Bodies have keys by asset.
      'src/rules/assets.ts',
      // A parameter takes them in lower case.
      'src/rules/board-orders.ts',
      'src/rules/hours.ts',
      ...PORTS,
      'src/http/',
      'src/clock.ts',
      'src/limits.ts',
      'src/graphql/errors.ts',
      // What an endpoint's document is compiled to at the start.
      'src/graphql/compiled-document.ts',
      'src/deadline.ts',
    ],
  },
  {
    folder: 'src/mcp/',
    packages: true,
    imports: [
      'src/rules/',
      'src/http/',
      // Tools are rows of THE TABLE, called without HTTP.
      'src/rest/answering.ts',
      'src/rest/calls.ts',
      'src/rest/compile.ts',
      'src/rest/endpoint.ts',
      'src/limits.ts',
      'src/deadline.ts',
    ],
  },
  {
    folder: 'src/export/',
    packages: true,
    imports: [
      READS,
      'src/rules/',
      'src/reads/rounds.ts',
      'src/http/parameters.ts',
      'src/rest/endpoint.ts',
      'src/limits.ts',
      'src/deadline.ts',
      'src/in-flight.ts',
    ],
  },
  {
    folder: 'src/openapi/',
    packages: true,
    // The reference is derived from what answers: the table, the exports, the events, the limits, the statuses.
    imports: [
      'src/rules/',
      'src/entities/',
      'src/rest/',
      'src/export/',
      'src/http/errors.ts',
      'src/http/parameters.ts',
      'src/limits.ts',
    ],
  },
  {
    folder: 'src/guides/',
    packages: true,
    imports: ['src/openapi/', 'src/rest/described.ts', 'src/rest/router.ts', 'src/http/errors.ts'],
  },
  {
    folder: 'src/graphql/',
    packages: true,
    imports: [
      'src/rules/errors.ts',
      // How many groups a breakdown may have.
      'src/rules/breakdowns.ts',
      'src/http/bodies.ts',
      'src/http/errors.ts',
      'src/http/rate-limit-headers.ts',
      // Answers that everybody gets are kept as those of REST are.
      'src/http/counted.ts',
      'src/http/kept-answers.ts',
      // Known documents are answered before Express, which watches all others.
      'src/http/request-ids.ts',
      'src/http/request-watch.ts',
      'src/http/server.ts',
      'src/limits.ts',
      'src/resolvers/context.ts',
      'src/clock.ts',
      'src/deadline.ts',
    ],
  },
  {
    folder: 'src/dashboard/',
    packages: true,
    imports: [
      'src/rules/',
      'src/graphql/compiled-document.ts',
      'src/http/errors.ts',
      'src/limits.ts',
      'src/deadline.ts',
    ],
  },
  {
    folder: 'src/operating/',
    packages: true,
    imports: [
      'src/rules/',
      'src/entities/',
      'src/database/orm.ts',
      READS,
      'src/database/replica-watch.ts',
      'src/http/',
      'src/market/market.ts',
      ...PORTS,
      'src/feed/',
      'src/jobs/admin-actions.ts',
      'src/limits.ts',
      'src/clock.ts',
      'src/deadline.ts',
      'src/in-flight.ts',
      'src/logger.ts',
    ],
  },
];

/** Rooms that may import from everywhere: what opens the parts and puts them together. */
const COMPOSING = ['src/app/'];

/** A driver, and the only files that name it; those beside it in a folder of the driver's own do too. */
const DRIVERS = [
  { driver: /^src\/backplane\/open-backplane\.ts$/, by: ['src/app/app.ts'] },
  { driver: /^src\/backplane\/redis\/backplane\.ts$/, by: ['src/backplane/open-backplane.ts'] },
  { driver: /^src\/backplane\/redis\/(queue|bus|limiter|client)\.ts$/, by: ['src/backplane/redis/backplane.ts'] },
  {
    driver: /^src\/backplane\/redis\/address\.ts$/,
    by: ['config', 'backplane/open-backplane', 'backplane/redis/backplane', 'backplane/redis/client'].map(
      (file) => `src/${file}.ts`,
    ),
  },
  { driver: /^src\/backplane\/local\.ts$/, by: ['src/backplane/open-backplane.ts', 'src/backplane/redis/bus.ts'] },
  {
    driver: /^src\/backplane\/memory-limiter\.ts$/,
    by: ['backplane/open-backplane', 'backplane/local', 'backplane/redis/backplane', 'backplane/redis/limiter'].map(
      (file) => `src/${file}.ts`,
    ),
  },
  { driver: /^src\/database\/embedded-postgres\.ts$/, by: ['src/app/open-database.ts'] },
  { driver: /^src\/database\/embedded-postgres\//, by: ['src/database/embedded-postgres.ts'] },
  {
    driver: /^src\/market\/(live\/live|replay\/replay|simulated\/simulated)\.ts$/,
    by: ['src/app/open-market.ts'],
  },
  { driver: /^src\/market\/live\/exchanges\/(coinbase|kraken|binance)\.ts$/, by: ['src/market/live/live.ts'] },
];

/** What a line of src may hold only in the files named. */
const WORDS = [
  { word: /process\.env/, only: ['src/main.ts'] },
  { word: /\bnew Date\(\)|\bDate\.now\b/, only: ['src/clock.ts'] },
  {
    word: /\bperformance\.now\b/,
    only: [
      'src/clock.ts',
      'src/database/embedded-postgres.ts',
      'src/database/embedded-postgres/',
      'src/dashboard/browser/machine.ts',
    ],
  },
  { word: /\bMath\.random\b|\brandomUUID\b/, only: [] },
  { word: /import .*\brandom\w+.*from 'node:crypto'/, only: ['src/app/app.ts'] },
  // Programs that the page gives to newcomers.
  { word: /\bconsole\./, only: ['src/dashboard/browser/snippets.ts'] },
  // Of what a run may do without: the pretty lines; the service itself, for --help and a refusal of settings; a protocol; of
  // the page what is not needed for its first sight.
  {
    word: /\bimport\(/,
    only: [
      'src/logger.ts',
      'src/main.ts',
      'src/mcp/mcp-routes.ts',
      'app.tsx',
      'live.ts',
      'parts/hour-diagrams.tsx',
    ].map((file) => (file.startsWith('src/') ? file : `src/dashboard/browser/${file}`)),
  },
];

const FILES = filesIn('src');

/** What verifying a service knows of it: the rules, and of the market what is pure. */
const VERIFYING = {
  folder: 'scripts/verify/',
  imports: [
    'src/rules/',
    'src/market/live/agreement.ts',
    'src/market/figures.ts',
    'src/market/replay/candle-file.ts',
    'src/market/replay/price-history.ts',
    'src/market/replay/prices-so-far.ts',
  ],
};

function filesIn(folder: string): SourceFile[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => sourceFile(join(folder, name)));
}

function sourceFile(path: string): SourceFile {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return { path, lines: text.split('\n'), imports: [...importsOf(path, text)] };
}

function* importsOf(path: string, text: string): Generator<Import> {
  for (const found of text.matchAll(/^(?:import|export)\b(?:[^;']*?\bfrom )?\s*['"]([^'"]+)['"]/gm)) {
    const [statement, from = ''] = found;
    const line = text.slice(0, found.index + statement.length).split('\n').length;
    const target = from.startsWith('.') ? normalize(join(dirname(path), from)) : from;
    yield { line, target };
  }
}

/** Whether `path` is one of the files, or lies in one of the folders, which end in `/`. */
function isAmong(path: string, places: readonly string[]): boolean {
  return places.some((place) => (place.endsWith('/') ? path.startsWith(place) : path === place));
}

/** Every import that `isOffence` finds fault with, by file and line. */
function offences(isOffence: (file: SourceFile, found: Import) => boolean): string[] {
  return FILES.flatMap((file) =>
    file.imports
      .filter((found) => isOffence(file, found))
      .map(({ line, target }) => `${file.path}:${line} imports ${target}`),
  );
}

describe('imports', () => {
  test('are all seen: as many as lines that end with a file or package', () => {
    for (const { path, lines, imports } of FILES) {
      const endings = lines.filter((line) => /^(import|export|\}).* from ['"].+['"];$|^import ['"]/.test(line));
      expect({ path, seen: imports.length }).toEqual({ path, seen: endings.length });
    }
  });

  test.each(FOLDERS)('of $folder stay within what it may know', ({ folder, imports, packages }) => {
    const allowed = [folder, ...imports];
    expect(
      offences(({ path }, { target }) => {
        if (!path.startsWith(folder)) return false;
        return target.startsWith('src/') ? !isAmong(target, allowed) : target.startsWith('.') || !packages;
      }),
    ).toEqual([]);
  });

  test('of what verifies a service are those of the rules and the pure parts of the market', () => {
    const files = filesIn(VERIFYING.folder);
    const allowed = [VERIFYING.folder, ...VERIFYING.imports];
    const beyond = files.flatMap(({ path, imports }) =>
      imports
        .filter(({ target }) => /^(src|test|scripts)\//.test(target) && !isAmong(target, allowed))
        .map(({ target }) => `${path} imports ${target}`),
    );
    expect({ some: files.length > 0, beyond }).toEqual({ some: true, beyond: [] });
  });

  test('every folder of src has its row, or composes', () => {
    const folders = new Set(
      FILES.map(({ path }) => path.split('/')).flatMap(([, name = '', inner]) => (inner ? [name] : [])),
    );
    expect(
      [...folders]
        .map((name) => `src/${name}/`)
        .filter((name) => !COMPOSING.includes(name) && !FOLDERS.some(({ folder }) => folder === name)),
    ).toEqual([]);
  });

  test.each(DRIVERS)('of drivers $driver are those of $by alone', ({ driver, by }) => {
    expect(FILES.some(({ path }) => driver.test(path))).toBe(true);
    expect(offences(({ path }, { target }) => driver.test(target) && !driver.test(path) && !by.includes(path))).toEqual(
      [],
    );
  });

  test('leave main.ts and app.ts to those who start the service', () => {
    expect(offences((_file, { target }) => target === 'src/main.ts')).toEqual([]);
    expect(offences(({ path }, { target }) => target === 'src/app/app.ts' && path !== 'src/main.ts')).toEqual([]);
  });
});

describe('a file of src', () => {
  test.each(WORDS)('holds $word in $only alone', ({ word, only }) => {
    const found = FILES.filter(({ path }) => !isAmong(path, only)).flatMap(({ path, lines }) =>
      lines.flatMap((line, index) =>
        word.test(line) && !/^\s*(\/\/|\/?\*)/.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [],
      ),
    );
    expect(found).toEqual([]);
  });

  test(`has at most ${MAX_LINES} lines, unless it is generated or a migration's list of statements`, () => {
    const long = FILES.filter(
      ({ path, lines }) =>
        path !== 'src/resolvers/schema-types.ts' &&
        !path.startsWith('src/dashboard/documents/') &&
        !path.startsWith('src/entities/migrations/') &&
        lines.length - 1 > MAX_LINES,
    );
    expect(long.map(({ path, lines }) => `${path} has ${lines.length - 1} lines`)).toEqual([]);
  });

  test('says in its name, in kebab-case, what it holds', () => {
    const places = FILES.flatMap(({ path }) => relative('src', path).split('/')).map((name) =>
      basename(basename(name, '.tsx'), '.ts'),
    );
    expect(places.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([]);
    expect(places.filter((name) => /^(utils?|helpers?|lib|common|misc|shared)$/.test(name))).toEqual([]);
  });
});
