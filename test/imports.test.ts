import { describe, expect, test } from '@jest/globals';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, normalize, relative } from 'node:path';

const ROOT = join(import.meta.dirname, '..');
const MOST_LINES = 250;

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
  /** Gone when the types are stripped. */
  readonly isTypeOnly: boolean;
}

const PORTS = ['src/backplane/bus.ts', 'src/backplane/limiter.ts', 'src/backplane/queue.ts'];
const RESOLVERS = [
  'src/rules/',
  'src/entities/',
  'src/market/market.ts',
  ...PORTS,
  'src/feed/',
  'src/limits.ts',
  'src/clock.ts',
  'src/patience.ts',
];

/** What the files of a folder import beside one another; packages and node:* where `packages` says so. */
const FOLDERS = [
  { folder: 'src/rules/', packages: false, imports: [] },
  { folder: 'src/entities/', packages: true, imports: ['src/rules/', 'src/under-way.ts', 'src/patience.ts'] },
  { folder: 'src/market/', packages: true, imports: ['src/rules/'] },
  {
    folder: 'src/backplane/',
    packages: true,
    imports: ['src/rules/', 'src/limits.ts', 'src/under-way.ts', 'src/wait-at-most.ts'],
  },
  {
    folder: 'src/feed/',
    packages: true,
    imports: [
      'src/rules/',
      'src/entities/',
      ...PORTS,
      'src/limits.ts',
      'src/clock.ts',
      'src/under-way.ts',
      'src/patience.ts',
    ],
  },
  { folder: 'src/resolvers/', packages: true, imports: RESOLVERS },
  { folder: 'src/jobs/', packages: true, imports: [...RESOLVERS, 'src/wait-at-most.ts'] },
  {
    folder: 'src/rest/',
    packages: true,
    imports: ['src/rules/errors.ts', ...PORTS, 'src/limits.ts', 'src/graphql-errors.ts', 'src/patience.ts'],
  },
  { folder: 'src/export/', packages: true, imports: ['src/rules/', 'src/limits.ts', 'src/patience.ts'] },
  {
    folder: 'src/graphql/',
    packages: true,
    imports: [
      'src/rules/errors.ts',
      'src/limits.ts',
      'src/graphql-errors.ts',
      'src/resolvers/context.ts',
      'src/patience.ts',
    ],
  },
  {
    folder: 'src/operating/',
    packages: true,
    imports: [
      'src/rules/',
      'src/entities/',
      'src/market/market.ts',
      'src/backplane/backplane.ts',
      ...PORTS,
      'src/feed/',
      'src/jobs/administration.ts',
      'src/jobs/admin-record.ts',
      'src/jobs/queue-names.ts',
      'src/rest/router.ts',
      'src/rest/json-body.ts',
      'src/limits.ts',
      'src/clock.ts',
      'src/patience.ts',
      'src/logger.ts',
      'src/unreadable-requests.ts',
    ],
  },
];

/** What the Redis backplane is made of. */
const REDIS_DRIVERS = ['backplane', 'queue', 'bus', 'limiter', 'client'].map(
  (part) => `src/backplane/redis-${part}.ts`,
);

/** A driver, and the only files that name it; those beside it in a folder of the driver's own do too. */
const DRIVERS = [
  { driver: /^src\/backplane\/choose\.ts$/, by: ['src/app.ts'] },
  { driver: /^src\/backplane\/(own|redis)-backplane\.ts$/, by: ['src/backplane/choose.ts'] },
  { driver: /^src\/backplane\/postgres-queue\.ts$/, by: ['src/backplane/own-backplane.ts'] },
  { driver: /^src\/backplane\/redis-(queue|bus|limiter|client)\.ts$/, by: REDIS_DRIVERS },
  { driver: /^src\/backplane\/redis-address\.ts$/, by: ['src/config.ts', 'src/backplane/choose.ts', ...REDIS_DRIVERS] },
  {
    driver: /^src\/backplane\/(memory-limiter|local-bus)\.ts$/,
    by: ['src/backplane/choose.ts', 'src/backplane/own-backplane.ts', ...REDIS_DRIVERS],
  },
  { driver: /^src\/backplane\/embedded-postgres\.ts$/, by: ['src/open-database.ts'] },
  { driver: /^src\/backplane\/embedded-postgres\//, by: ['src/backplane/embedded-postgres.ts'] },
  { driver: /^src\/market\/choose\.ts$/, by: ['src/market-of-database.ts', 'src/app.ts'] },
  { driver: /^src\/market-of-database\.ts$/, by: ['src/app.ts'] },
  { driver: /^src\/market\/(live|replay|simulated)\.ts$/, by: ['src/market/choose.ts'] },
  { driver: /^src\/market\/exchanges\/(all|coinbase|kraken|binance)\.ts$/, by: ['src/market/live.ts'] },
];

/** What a line of src may hold only in the files named. */
const WORDS = [
  { word: /process\.env/, only: ['src/main.ts'] },
  { word: /\bnew Date\(\)|\bDate\.now\b/, only: ['src/clock.ts'] },
  {
    word: /\bperformance\.now\b/,
    only: ['src/clock.ts', 'src/backplane/embedded-postgres.ts', 'src/backplane/embedded-postgres/'],
  },
  { word: /\bMath\.random\b|\brandomUUID\b/, only: [] },
  { word: /import .*\brandom\w+.*from 'node:crypto'/, only: ['src/app.ts'] },
  { word: /\bconsole\./, only: [] },
  { word: /\bimport\(/, only: [] },
];

const FILES = filesIn('src');

/** What verifying a service knows of it: the rules, and of the market what is pure. */
const VERIFYING = {
  folder: 'scripts/verify/',
  imports: [
    'src/rules/',
    'src/market/agreement.ts',
    'src/market/figures.ts',
    'src/market/candle-file.ts',
    'src/market/price-history.ts',
  ],
};

function filesIn(folder: string): SourceFile[] {
  return readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => sourceFile(join(folder, name)));
}

function sourceFile(path: string): SourceFile {
  const text = readFileSync(join(ROOT, path), 'utf8');
  return { path, lines: text.split('\n'), imports: [...importsOf(path, text)] };
}

function* importsOf(path: string, text: string): Generator<Import> {
  for (const found of text.matchAll(/^(?:import|export)\b( type\b)?([^;']*?\bfrom )?\s*['"]([^'"]+)['"]/gm)) {
    const [statement, type, names = '', from = ''] = found;
    const line = text.slice(0, found.index + statement.length).split('\n').length;
    const target = from.startsWith('.') ? normalize(join(dirname(path), from)) : from;
    const inBraces = /^[^{]*\{([^}]*)\}/
      .exec(names)?.[1]
      ?.split(',')
      .map((name) => name.trim())
      .filter(Boolean);
    const isTypeOnly = type !== undefined || (inBraces?.every((name) => name.startsWith('type ')) ?? false);
    yield { line, target, isTypeOnly };
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

  test('every folder of src has its row', () => {
    const folders = new Set(
      FILES.map(({ path }) => path.split('/')).flatMap(([, name = '', inner]) => (inner ? [name] : [])),
    );
    expect(
      [...folders].map((name) => `src/${name}/`).filter((name) => !FOLDERS.some(({ folder }) => folder === name)),
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
    expect(offences(({ path }, { target }) => target === 'src/app.ts' && path !== 'src/main.ts')).toEqual([]);
  });

  test('run in no circle', () => {
    const edges = new Map(
      FILES.map(({ path, imports }) => [
        path,
        imports.filter(({ isTypeOnly }) => !isTypeOnly).map(({ target }) => target),
      ]),
    );
    expect(FILES.flatMap(({ path }) => circleFrom(path, edges) ?? [])).toEqual([]);
  });
});

/** A way from `start` back to itself, or undefined. */
function circleFrom(start: string, edges: ReadonlyMap<string, readonly string[]>): string | undefined {
  const from = new Map<string, string>();
  const waiting = [start];
  for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
    for (const next of edges.get(at) ?? []) {
      if (next === start) return [...wayBack(at, from), start].join(' -> ');
      if (from.has(next)) continue;
      from.set(next, at);
      waiting.push(next);
    }
  }
  return undefined;
}

function wayBack(end: string, from: ReadonlyMap<string, string>): string[] {
  const way = [end];
  for (let at = from.get(end); at !== undefined; at = from.get(at)) way.unshift(at);
  return way;
}

describe('a file of src', () => {
  test.each(WORDS)('holds $word in $only alone', ({ word, only }) => {
    const found = FILES.filter(({ path }) => !isAmong(path, only)).flatMap(({ path, lines }) =>
      lines.flatMap((line, index) =>
        word.test(line) && !/^\s*(\/\/|\/?\*)/.test(line) ? [`${path}:${index + 1} ${line.trim()}`] : [],
      ),
    );
    expect(found).toEqual([]);
  });

  test(`has at most ${MOST_LINES} lines, unless it is generated or a migration's list of statements`, () => {
    const long = FILES.filter(
      ({ path, lines }) =>
        path !== 'src/resolvers/schema-types.ts' &&
        !path.startsWith('src/entities/migrations/') &&
        lines.length - 1 > MOST_LINES,
    );
    expect(long.map(({ path, lines }) => `${path} has ${lines.length - 1} lines`)).toEqual([]);
  });

  test('says in its name, in kebab-case, what it holds', () => {
    const places = FILES.flatMap(({ path }) => relative('src', path).split('/')).map((name) => basename(name, '.ts'));
    expect(places.filter((name) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(name))).toEqual([]);
    expect(places.filter((name) => /^(utils?|helpers?|lib|common|misc|shared)$/.test(name))).toEqual([]);
  });
});
