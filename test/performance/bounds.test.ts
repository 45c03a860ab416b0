import { beforeAll, expect, test } from '@jest/globals';
import { sql } from 'kysely';

import { benchKey } from '../../bench/history-shapes.ts';
import { get, post } from '../../bench/load.ts';
import { keptConnection } from '../support/kept-connection.ts';
import { until } from '../support/poll.ts';
import { currentRound } from '../support/rounds.ts';
import { sharedDatabase, sharedService } from '../support/shared.ts';
import { receive, socketClient } from '../support/socket-client.ts';
import { write } from '../support/written-events.ts';
import { type Bounds, grown } from './grown.ts';
import { allocatedDuring, workDuring } from './work.ts';

/*
 * The cost of a request by count, since times are not steady: grown.ts has the figures and their margins. Each is found today: a
 * change that needs less lowers it, and a greater one has its reason in docs/decisions.md.
 */

const AGENTS = 1_400;
/** Agents in each round of the history, and in the round whose resolution counts. */
const [FIELD, RESOLVED] = [200, 1_000];
const HOURS = 3;
const GROUP = 32;
const [WARM_UP, CALLS] = [200, 300];
/** More than the 5 executions after which a connection may take a general plan. An agent predicts once, so groups have fewer. */
const [TRIES, TRIES_OF_A_GROUP] = [8, 3];

interface RequestParts {
  readonly id: number;
  readonly key: Readonly<Record<string, string>>;
  readonly round: Awaited<ReturnType<typeof currentRound>>;
}

interface Row {
  readonly name: string;
  /** Each request is another agent's, of the field; a submission any agent's. */
  readonly request: (parts: RequestParts) => string;
  readonly bounds: Bounds;
  /** Large answers need fewer calls for a steady figure. */
  readonly calls?: number;
  /** Requests at once, in a new hour. */
  readonly group?: number;
  readonly isKept?: boolean;
  /** Default: a 2xx. */
  readonly status?: number;
}

const FEW = 50;
/** The boards that the resolution writes have those agents. */
const STORED = 1_000;

const reading = (path: string, bounds: Bounds, calls = CALLS): Row => ({
  name: `GET ${path}`,
  request: () => get(path),
  bounds,
  calls,
});

function asking(name: string, query: string, bounds: Bounds, calls = CALLS): Row {
  const text = post('/graphql', { query });
  return { name: `the document of ${name}`, request: () => text, bounds, calls };
}

const fromCache = (row: Row): Row => ({ ...row, name: `${row.name}, from the cache`, isKept: true });

const submission: Row['request'] = ({ id, key, round }) =>
  post('/api/predictions', { round_id: round.id, prediction: round.choices[0], confidence: id % 101 }, key);

const UNKNOWN = { authorization: `Bearer pk_live_${'0'.repeat(48)}` };
const BOARD = '{ leaderboard(period: alltime, limit: 100) { rankings { rank totalPoints agent { id name } } } }';
const RECORDS = '{ records { longestStreak { name } biggestUpset { id } closestCall { marginPct } } }';
const ROWS: readonly Row[] = [
  fromCache(reading('/api/leaderboard', [0, 0, 0, 0, 35])),
  fromCache(reading('/api/agents/1', [0, 0, 0, 0, 24])),
  fromCache(asking('the first 100 of the board with their agents', BOARD, [0, 0, 0, 0, 29])),
  reading('/api/rounds/current', [1, 18, 4, 0, 87]),
  // The board, and what would have earned how much without an agent.
  reading('/api/leaderboard', [2, 1_525, 365, 0, 905], FEW),
  reading('/api/rounds/recent', [1, 45, 8, 0, 112]),
  reading('/api/stats', [5, 25, 29, 0, 340], FEW),
  reading('/api/data/market', [0, 0, 0, 0, 58]),
  reading('/api/health', [0, 0, 0, 0, 36]),
  reading('/api/rounds/1/results', [1, 818, 1_842, 0, 821], FEW),
  reading('/api/rounds/1/results?limit=10', [1, 58, 100, 0, 206], FEW),
  reading('/api/rounds/1/entries', [1, 605, 1_213, 0, 722], FEW),
  reading('/api/rounds/1/evidence', [1, 25, 7, 0, 77]),
  reading('/api/export/predictions.ndjson?round_id=1', [3, 1_206, 621, 0, 1_574], FEW),
  { name: 'GET /api/agents/{id}', request: ({ id }) => get(`/api/agents/${id}`), bounds: [1, 31, 32, 0, 102] },
  { name: 'GET /api/me', request: ({ key }) => get('/api/me', key), bounds: [2, 364, 50, 0, 146] },
  { name: 'GET /api/me/predictions', request: (n) => get('/api/me/predictions', n.key), bounds: [2, 31, 41, 0, 169] },
  { name: 'GET /api/me, unknown key', request: () => get('/api/me', UNKNOWN), status: 401, bounds: [0, 0, 0, 0, 32] },
  {
    name: 'POST /api/predictions, unknown key',
    request: (parts) => submission({ ...parts, key: UNKNOWN }),
    status: 401,
    bounds: [0, 0, 0, 0, 35],
  },
  asking('the running round', '{ currentRound { id question status } }', [1, 5, 2, 0, 70]),
  asking('the first 100 of the board with their agents', BOARD, [1, 501, 16, 0, 254], FEW),
  asking(
    '20 rounds with 10 predictions each and their agents',
    `{ rounds(first: 20, status: [resolved]) { nodes { id question status totalEntries
      predictions(first: 10, orderBy: PLACE) { nodes { prediction confidence score agent { name } } } } } }`,
    [1, 82, 178, 0, 132],
    FEW,
  ),
  asking(
    'an agent with 50 predictions and their rounds',
    `{ agent(id: 1) { id name totalPoints predictions(first: 50) { nodes { prediction confidence score
      round { id question status } } } } }`,
    [1, 31, 32, 0, 80],
  ),
  asking('the records', RECORDS, [4, 1_042, 67, 0, 250], FEW),
  // The ids are made of the service's first key.
  reading('/feeds/rounds.atom', [4, 605, 18, 0, 330], FEW),
  { name: 'POST /api/predictions', request: submission, group: 1, calls: STORED, bounds: [1, 4, 19, 510, 70] },
  // The writer may divide them: one statement if it does not.
  {
    name: `POST /api/predictions, ${GROUP} at once`,
    request: submission,
    group: GROUP,
    calls: STORED,
    bounds: [5 / GROUP, 4, 19, 390, 50],
  },
];

const database = sharedDatabase();
const at = () => ({ connection: database.connection, drop: async () => {} });
// Every answer is made anew.
const service = sharedService(() => ({ database: at(), keeping: { bytes: 0 } }));
const keeping = sharedService(() => ({ database: at() }));

beforeAll(async () => {
  const tables = service.newEm().getKysely();
  // A vacuum at any moment would change the pages that a statement touches.
  await sql`do $$ declare it regclass; begin
    for it in select oid from pg_class where relkind = 'r' and relnamespace = 'public'::regnamespace loop
      execute format('alter table %s set (autovacuum_enabled = off)', it);
    end loop; end $$`.execute(tables);
  await sql`insert into agents (name, name_key, mode, key_hash, registered_at)
    select 'agent-' || n, 'agent-' || n, 'compete', encode(sha256(convert_to('pk_live_' || lpad(to_hex(n), 48, '0'), 'UTF8')), 'hex'),
      now() from generate_series(1, ${AGENTS}) n order by n`.execute(tables);
  for (let hour = 0; hour < HOURS; hour += 1) {
    await predictAll(FIELD);
    await service.nextHour();
  }
  await vacuum();
  keeping.clock.set(service.clock.now());
});

/** Plans follow from exact statistics, whatever ran before; a snapshot of another statement leaves pages to be read again. */
const vacuum = () =>
  until('tables with visible pages alone', async () => {
    const tables = service.newEm().getKysely();
    await sql`vacuum analyze`.execute(tables);
    const left = sql`select from pg_class
      where relkind = 'r' and relnamespace = 'public'::regnamespace and relallvisible < relpages`;
    return (await left.execute(tables)).rows.length === 0;
  });

/** The first `count` agents predict in the running round. */
async function predictAll(count: number): Promise<void> {
  await sql`insert into predictions (round_id, agent_id, prediction, confidence, submitted_at)
    select r.id, a.id, r.choices ->> (a.id % jsonb_array_length(r.choices)), a.id % 101, r.start_time
    from rounds r, agents a where r.status = 'active' and a.id <= ${count}`.execute(service.newEm().getKysely());
}

test.each(ROWS)(
  '$name costs at most its bounds',
  async ({ name, request, bounds, calls = CALLS, group, isKept, status = 20 }) => {
    using stack = new DisposableStack();
    if (group !== undefined) await service.nextHour();
    const round = await currentRound(service);
    const { url } = isKept === true ? keeping : service;
    const connections = await Promise.all(Array.from({ length: group ?? 1 }, () => keptConnection(url)));
    for (const connection of connections) stack.use(connection);
    let n = 0;
    const together = () =>
      Promise.all(
        connections.map(async (connection) => {
          const id = 1 + (n++ % (group === undefined ? FIELD : AGENTS));
          const answer = await connection.ask(request({ id, round, key: { authorization: `Bearer ${benchKey(id)}` } }));
          if (answer.indexOf(`HTTP/1.1 ${status}`) !== 0) throw new Error(`${name}: ${answer.toString()}`);
        }),
      );
    const several = async (count: number): Promise<void> => {
      for (let done = 0; done < count; done += connections.length) await together();
    };
    await several(Math.min(WARM_UP, calls));
    const bytes = await allocatedDuring(() => several(calls));
    const more = async (): Promise<readonly string[]> => {
      const tries = [];
      while (tries.length < (group === undefined ? TRIES : TRIES_OF_A_GROUP)) tries.push(await workDuring(together));
      return grown({ name, bounds, tries, count: connections.length, bytes: bytes / calls });
    };
    // The service's own updates may have lengthened a small table since the last vacuum.
    const first = await more();
    expect(first.length === 0 ? first : await vacuum().then(more)).toEqual([]);
  },
);

const EVENT = 'subscription { leaderboardUpdated(period: alltime, limit: 10) { rankings { name totalPoints } } }';
const EVENTS = 20;

/** As much for PostgreSQL, whoever listens. */
test.each([
  { count: 1, kB: 197 },
  { count: 40, kB: 11 },
])('an event to $count subscribers costs at most its bounds', async ({ count, kB }) => {
  await using stack = new AsyncDisposableStack();
  const subscribers = Array.from({ length: count }, () =>
    stack.use(receive<Record<string, unknown>>(socketClient(service.url), EVENT)),
  );
  await Promise.all(subscribers.map((subscriber) => subscriber.first(1)));
  const event = async (): Promise<void> => {
    const received = subscribers.map(({ items }) => items.length + 1);
    await write(service, [{ kind: 'LEADERBOARD_CHANGED', roundId: null, payload: { periods: ['alltime'] } }]);
    service.nudge();
    await Promise.all(subscribers.map((subscriber, n) => subscriber.first(received[n] ?? 1)));
  };
  const several = async (): Promise<void> => {
    for (let n = 0; n < EVENTS; n += 1) await event();
  };
  await several();
  const bytes = (await allocatedDuring(several)) / EVENTS / count;
  const tries = [];
  while (tries.length < TRIES) tries.push(await workDuring(event));
  const bounds: Bounds = [3, 221, 41, 300, kB];
  expect(grown({ name: `an event to ${count} subscribers`, bounds, tries, count: 1, bytes })).toEqual([]);
});

test('a resolution, its follow-up work and a score cost at most their bounds', async () => {
  await service.nextHour();
  await predictAll(RESOLVED);
  await service.nextHour();
  await predictAll(RESOLVED);
  const bytes = (await allocatedDuring(() => service.nextHour())) / RESOLVED;
  await predictAll(RESOLVED);
  await vacuum();
  const tries = [await workDuring(() => service.nextHour())];
  // Buffers: 66 on a quiet machine; statistics that come late cost up to 10 more.
  const resolution: Bounds = [176 / RESOLVED, 84, 73, 2_260, 96];
  const name = 'a resolution, for a prediction,';
  const more = [...grown({ name, bounds: resolution, tries, count: RESOLVED, bytes })];
  await predictAll(RESOLVED);
  const columns = sql.raw(`is_correct, score, streak_bonus, arena_points, pnl_usd, brier, reference_brier, confidence,
    edge_millionths, contribution_billionths, peer_millionths`);
  const scored = await workDuring(() =>
    sql`insert into scores (round_id, agent_id, place, ${columns})
      select r.id, s.agent_id, row_number() over (order by s.place), ${columns} from rounds r, scores s
      where r.status = 'active' and s.agent_id <= ${RESOLVED} and s.round_id = (select max(round_id) from scores)
      order by s.agent_id`.execute(service.newEm().getKysely()),
  );
  // The row and its two indexes; a third would add 70 bytes.
  const score: Bounds = [1 / RESOLVED, 1.1, 6.1, 314, 0];
  more.push(...grown({ name: 'a score', bounds: score, tries: [scored], count: RESOLVED, bytes: 0 }));
  expect(more).toEqual([]);
});
