import { describe, expect, test } from '@jest/globals';

import { circlesIn, filesIn, isAmong, offences } from './source-files.ts';

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
  'src/forecasts/',
  'src/database/failures.ts',
  'src/database/planner-hints.ts',
  ...PORTS,
  'src/feed/',
  'src/transparency/',
  'src/limits.ts',
  'src/clock.ts',
  'src/deadline.ts',
];

const LEDGER = [
  'src/rules/',
  'src/entities/',
  'src/reads/',
  'src/transparency/',
  'src/limits.ts',
  'src/database/failures.ts',
  'src/database/planner-hints.ts',
];

/** The rules, and the pure parts of the market and the log. */
const VERIFY = [
  'src/rules/',
  'src/database/failures.ts',
  'src/month-archive/month-archive.ts',
  'src/whole-lines.ts',
  'src/clock.ts',
  'src/in-flight.ts',
  'src/transparency/leaves.ts',
  'src/transparency/merkle.ts',
  'src/transparency/notes.ts',
  'src/transparency/tiles.ts',
  'src/market/live/agreement.ts',
  'src/market/figures.ts',
  'src/market/replay/prices-so-far.ts',
  'src/market/replay/replay-folder.ts',
];

const CHECKING = ['src/verify/settings.ts', 'src/verify/findings.ts', 'src/verify/published/'];

/** What the service knows of the page: its addresses, titles and documents. Its parts are bundled, and imported by none. */
const SHOWN = [
  'addresses',
  'agents-address',
  'answered',
  'board-address',
  'document',
  'figures',
  'period-choice',
  'period-title',
  'plain-question',
  'round-filters',
  'titles',
  'documents/',
].map((name) => `dashboard/${name.endsWith('/') ? name : `${name}.ts`}`);

/** What the files of a folder import beside one another and packages. */
const FOLDERS: Readonly<Record<string, readonly string[]>> = {
  'src/rules/': [],
  'src/entities/': ['src/rules/'],
  'src/database/': [
    'src/rules/',
    'src/entities/',
    'src/limits.ts',
    'src/logger.ts',
    'src/deadline.ts',
    'src/in-flight.ts',
  ],
  'src/market/': ['src/rules/', 'src/in-flight.ts'],
  'src/backplane/': ['src/rules/', 'src/database/', 'src/limits.ts', 'src/in-flight.ts', 'src/deadline.ts'],
  'src/feed/': [
    'src/rules/',
    'src/entities/',
    ...PORTS,
    'src/http/parameters.ts',
    'src/http/received-text.ts',
    // Segments of the log are counted and cached as answers of REST are.
    READS,
    'src/http/answer-cache.ts',
    'src/http/cache-headers.ts',
    'src/http/compression.ts',
    'src/rest/endpoint.ts',
    // What a subscription is compiled to, as the document of an endpoint.
    'src/graphql/document-transport.ts',
    'src/graphql/execution.ts',
    'src/graphql/selection.ts',
    'src/limits.ts',
    'src/clock.ts',
    'src/in-flight.ts',
    'src/deadline.ts',
  ],
  'src/reads/': ['src/rules/', 'src/entities/', 'src/limits.ts', 'src/clock.ts', 'src/deadline.ts', STATEMENTS],
  'src/reads/sql.ts': [],
  'src/references/': [
    'src/rules/',
    'src/entities/',
    'src/reads/',
    'src/market/market.ts',
    'src/clock.ts',
    'src/deadline.ts',
    'src/batching.ts',
    'src/turns.ts',
  ],
  'src/forecasts/': ['src/rules/', 'src/reads/', 'src/references/', 'src/deadline.ts', 'src/batching.ts'],
  'src/transparency/': [
    'src/rules/',
    'src/entities/',
    'src/reads/',
    'src/database/failures.ts',
    'src/feed/event-log.ts',
    'src/feed/log-follower.ts',
    'src/deadline.ts',
    'src/in-flight.ts',
  ],
  'src/webhooks/': [
    'src/rules/',
    'src/entities/',
    'src/reads/',
    'src/transparency/service-keys.ts',
    'src/feed/event-log.ts',
    'src/feed/log-follower.ts',
    ...PORTS,
    'src/batching.ts',
    'src/clock.ts',
    'src/deadline.ts',
    'src/in-flight.ts',
  ],
  'src/resolvers/': [
    ...RESOLVERS,
    'src/batching.ts',
    'src/in-flight.ts',
    'src/turns.ts',
    STATEMENTS,
    READS,
    'src/webhooks/addresses.ts',
  ],
  'src/jobs/': [...RESOLVERS, 'src/in-flight.ts'],
  // Its rooms, from the bottom.
  'src/jobs/ledger/': LEDGER,
  'src/jobs/boards/': [...LEDGER, 'src/jobs/ledger/', 'src/deadline.ts'],
  'src/jobs/resolve/': [...LEDGER, ...RESOLVERS, 'src/jobs/ledger/', 'src/jobs/boards/', 'src/in-flight.ts'],
  'src/jobs/cycle/': [...LEDGER, ...RESOLVERS, 'src/jobs/resolve/', 'src/in-flight.ts'],
  'src/http/': [
    // What a budget has left, an answer's headers say.
    'src/backplane/backplane.ts',
    'src/rules/',
    'src/database/failures.ts',
    'src/limits.ts',
    'src/clock.ts',
    'src/deadline.ts',
    'src/request-id.ts',
    'src/request-scope.ts',
  ],
  'src/rest/': [
    'src/rules/errors.ts',
    // Bodies have keys by asset.
    'src/rules/assets.ts',
    // A parameter takes them in lower case.
    'src/rules/board-orders.ts',
    // Headers announce the end of endpoints and parameters.
    'src/rules/deprecations.ts',
    'src/rules/hours.ts',
    // The answer to what asks for YES or NO is no list.
    'src/rules/questions/question.ts',
    ...PORTS,
    'src/http/',
    'src/limits.ts',
    'src/graphql/errors.ts',
    // What an endpoint's document is compiled to at the start, and what its answer depends on.
    'src/graphql/cache-policy.ts',
    'src/graphql/operation.ts',
    'src/deadline.ts',
  ],
  'src/mcp/': [
    'src/rules/',
    'src/http/',
    // Tools are rows of THE TABLE, called without HTTP.
    'src/rest/answering.ts',
    'src/rest/calls.ts',
    'src/rest/compile.ts',
    'src/rest/described.ts',
    'src/rest/described-inputs.ts',
    'src/rest/endpoint.ts',
    'src/rest/streams.ts',
    'src/graphql/document-transport.ts',
    'src/limits.ts',
    'src/in-flight.ts',
    'src/deadline.ts',
  ],
  'src/export/': [
    READS,
    'src/rules/',
    'src/reads/plan/',
    'src/reads/fragments.ts',
    'src/reads/table-functions.ts',
    'src/reads/rounds.ts',
    'src/reads/scores.ts',
    'src/database/failures.ts',
    'src/http/cache-headers.ts',
    'src/http/parameters.ts',
    'src/rest/endpoint.ts',
    'src/limits.ts',
    'src/deadline.ts',
    'src/in-flight.ts',
    // The log is served beside the exports.
    'src/transparency/',
  ],
  // The reference is derived from what answers: the table, the exports, the events, the limits, the statuses.
  'src/openapi/': [
    ...PORTS,
    'src/rules/',
    'src/entities/',
    'src/rest/',
    'src/export/',
    'src/feed/segments.ts',
    'src/http/errors.ts',
    'src/limits.ts',
  ],
  'src/graphql/': [
    ...PORTS,
    'src/rules/errors.ts',
    // How many groups a breakdown may have.
    'src/rules/breakdowns.ts',
    // How many rounds a window may hold.
    'src/rules/hours.ts',
    'src/rules/windows.ts',
    'src/http/received-text.ts',
    // What many rows have waited for is completed in turns.
    'src/turns.ts',
    'src/http/bodies.ts',
    'src/http/cache-headers.ts',
    'src/http/errors.ts',
    'src/http/budget-headers.ts',
    'src/http/exchange.ts',
    // Answers that everybody gets are kept as those of REST are.
    'src/http/answer-cache.ts',
    'src/http/origins.ts',
    'src/http/policies.ts',
    'src/limits.ts',
    'src/in-flight.ts',
  ],
  // A client: of the service it knows the public schema and the rules.
  'dashboard/': ['src/rules/'],
  'src/pages/': [
    ...SHOWN,
    'src/rules/',
    'src/openapi/',
    // Cells of a page's CSV.
    'src/export/formats.ts',
    'src/rest/compile.ts',
    'src/rest/described.ts',
    // Feeds are counted and cached as answers of REST are.
    'src/rest/answering.ts',
    'src/rest/streams.ts',
    'src/http/answer-cache.ts',
    'src/graphql/operation.ts',
    'src/http/cache-headers.ts',
    'src/http/compression.ts',
    'src/http/errors.ts',
    'src/http/html-text.ts',
    'src/http/origins.ts',
    'src/http/policies.ts',
    'src/http/parameters.ts',
    'src/limits.ts',
    'src/deadline.ts',
    'src/in-flight.ts',
  ],
  'src/pages/guides/': [
    // Documents are in the page's frame.
    'src/pages/bundle.ts',
    'src/pages/html.ts',
    'src/openapi/',
    'src/rest/compile.ts',
    'src/rest/described.ts',
    'src/http/cache-headers.ts',
    'src/http/compression.ts',
    'src/http/errors.ts',
    'src/http/html-text.ts',
    'src/http/origins.ts',
    'src/http/policies.ts',
  ],
  'src/verify/': VERIFY,
  // Its rooms, from the bottom.
  'src/verify/published/': [...VERIFY, 'src/verify/settings.ts'],
  'src/verify/prices/': [...VERIFY, ...CHECKING],
  'src/verify/boards/': [...VERIFY, ...CHECKING],
  'src/verify/rounds/': [...VERIFY, ...CHECKING, 'src/verify/prices/', 'src/verify/boards/'],
  'src/verify/log/': [...VERIFY, ...CHECKING, 'src/verify/boards/', 'src/verify/rounds/decisions.ts'],
  'src/candles/': ['src/rules/', 'src/market/', 'src/command-line.ts'],
  'src/month-archive/': [
    'src/export/',
    'src/reads/plan/',
    'src/transparency/',
    'src/rules/',
    'src/entities/',
    'src/database/',
    'src/hashed-files.ts',
    'src/whole-lines.ts',
  ],
  'src/backup/': [
    'src/app/temporary-service.ts',
    'src/verify/',
    'src/month-archive/',
    'src/hashed-files.ts',
    'src/rules/',
    'src/entities/',
    'src/database/',
    'src/config.ts',
    'src/clock.ts',
    'src/command-line.ts',
  ],
  // It starts the service on a database and reads it by HTTP.
  'src/site/': [
    'src/app/temporary-service.ts',
    'src/rules/',
    'src/http/html-text.ts',
    'src/database/',
    'src/command-line.ts',
    'src/clock.ts',
  ],
  // It looks at what the others use, and composes nothing.
  'src/doctor/': [
    'src/rules/',
    'src/entities/migrations/',
    'src/database/',
    'src/backplane/redis/faults.ts',
    'src/app/note-pepper.ts',
    'src/app/open-clock.ts',
    'src/app/open-market.ts',
    'src/command-line.ts',
    'src/resolvers/keys.ts',
    'src/config.ts',
    'src/clock.ts',
  ],
  'src/operating/': [
    'src/transparency/',
    'src/command-line.ts',
    // What an operator hides leaves the sums.
    'src/jobs/ledger/move.ts',
    // What a key may have set before it leaked.
    'src/reads/plan/default-answers.ts',
    'src/reads/plan/webhook.ts',
    // What it says of the round that was decided last is said of all in public.
    'src/reads/punctuality.ts',
    'src/rules/',
    'src/entities/',
    'src/database/failures.ts',
    'src/database/timed-pool.ts',
    READS,
    'src/database/replica-watch.ts',
    'src/http/',
    'src/market/market.ts',
    ...PORTS,
    'src/feed/',
    'src/jobs/round-actions.ts',
    'src/jobs/audit.ts',
    'src/jobs/resolve/waiting-rounds.ts',
    // What operators do to agents: a new key, and whether there is the agent.
    'src/resolvers/keys.ts',
    'src/reads/agents.ts',
    'src/limits.ts',
    'src/clock.ts',
    'src/deadline.ts',
    'src/in-flight.ts',
    'src/logger.ts',
  ],
};

/** Rooms that may import from everywhere: what opens the parts and puts them together. */
const COMPOSING = ['src/app/'];

/** Entries of packages beside their main one. Each package documents its own. */
const ENTRIES = [
  '@apollo/server/plugin/disabled',
  'ajv/dist/2020.js',
  'graphql-ws/client',
  'graphql-ws/use/ws',
  'highlight.js/lib/',
  'kysely/helpers/postgres',
  'preact/hooks',
];

const SRC = filesIn('src');
const FILES = [...SRC, ...filesIn('dashboard')];

function targetsOf(file: string): readonly string[] {
  return FILES.filter(({ path }) => path === file).flatMap(({ imports }) => imports.map(({ target }) => target));
}

function folderOf(path: string): string {
  return /^(?:src\/[^/]+|dashboard)\//.exec(path)?.[0] ?? path;
}

describe('imports', () => {
  test('every import is found: as many as lines that end with a file or package', () => {
    for (const { path, lines, imports } of FILES) {
      const endings = lines.filter((line) => /^(import|export|\}).* from ['"].+['"];$|^import ['"]/.test(line));
      expect({ path, seen: imports.length }).toEqual({ path, seen: endings.length });
    }
  });

  test.each(Object.entries(FOLDERS))('imports of %s stay within its allowed folders', (folder, imports) => {
    const allowed = [folder, ...imports];
    const packages = folder !== 'src/rules/';
    const files = FILES.filter(({ path }) => path.startsWith(folder));
    const isBeyond = (target: string): boolean =>
      /^(src|dashboard)\//.test(target) ? !isAmong(target, allowed) : target.startsWith('.') || !packages;
    expect(offences(files, (_file, { target }) => isBeyond(target))).toEqual([]);
  });

  test('only src/pages imports the page', () => {
    expect(
      offences(SRC, ({ path }, { target }) => target.startsWith('dashboard/') && !path.startsWith('src/pages/')),
    ).toEqual([]);
  });

  test('the oracle imports nothing of the service, except in its comparison with the rules', () => {
    const files = filesIn('test/oracle').filter(({ path }) => path !== 'test/oracle/rules.test.ts');
    expect(offences(files, (_file, { target }) => target.startsWith('src/'))).toEqual([]);
  });

  test('the logger imports only the request scope and keys', () => {
    expect(targetsOf('src/logger.ts').toSorted()).toEqual(['pino', 'src/request-scope.ts', 'src/rules/keys.ts']);
    expect(targetsOf('src/request-scope.ts').filter((target) => !target.startsWith('node:'))).toEqual([]);
  });

  test('imports inside packages are documented entries, each in use', () => {
    const folders = ['src', 'dashboard', 'scripts', 'bench', 'test'];
    const ours = [...folders, 'clients', 'hourcast-client'].map((name) => `${name}/`);
    const inside = folders
      .flatMap((folder) => filesIn(folder).flatMap(({ imports }) => imports.map(({ target }) => target)))
      .filter((target) => /^(@[^/]+\/|(?![@.]))[^/:]+\//.test(target) && !isAmong(target, ours))
      .map((target) => ENTRIES.find((entry) => target.startsWith(entry)) ?? target);
    expect(new Set(inside)).toEqual(new Set(ENTRIES));
  });

  test('imports have no cycle, types included', () => {
    expect(circlesIn(FILES)).toEqual([]);
  });

  test('folders have no cycle', () => {
    const folders = [...Map.groupBy(FILES, ({ path }) => folderOf(path))].map(([path, files]) => {
      const imports = files.flatMap((file) => file.imports.map((one) => ({ ...one, target: folderOf(one.target) })));
      return { path, lines: [], imports: imports.filter(({ target }) => target !== path) };
    });
    expect(circlesIn(folders)).toEqual([]);
  });

  test('every folder of src has its row, or composes others', () => {
    const folders = SRC.flatMap(({ path }) => path.match(/^src\/[^/]+\//) ?? []);
    expect(folders.filter((name) => !COMPOSING.includes(name) && FOLDERS[name] === undefined)).toEqual([]);
  });
});
