import { Client } from 'pg';

import { ADVISORY_LOCKS } from '../../src/entities/advisory-locks.ts';
import { databaseUrl } from '../support/process.ts';
import { createTestDatabase } from '../support/database.ts';
import { deployment } from '../support/deployment.ts';
import { startLoad } from './load.ts';
import { type Arena, settle } from './settling.ts';
import { untilDespiteFaults } from '../support/poll.ts';
import { socketSubscriber, streamSubscriber } from '../support/subscriber.ts';

/** A place in a round's life where the process is killed. */
export interface KillPlace {
  readonly name: string;
  /** Makes the process stop there, by a lock of the operator's; it lasts until the operator is gone. */
  readonly block: readonly string[];
  /** The round that has come there; null while none has. */
  readonly reached: (operator: Client, arena: Arena) => Promise<number | null>;
  /** What becomes of the round while no process runs. */
  readonly left: 'active' | 'resolving' | 'resolved';
  /** Service seconds per real second. */
  readonly speed: number;
}

export interface KillOutcome {
  readonly left: string;
  /** Its state in the end, and all that the oracle says. */
  readonly status: string;
  readonly differences: readonly string[];
}

const COMMIT_LOCK = 4711;
/** An hour in 2 s, where the place is at its end; in 20 s, where it is within. */
const FAST = 1800;
const SLOW = 180;
const AGENTS = 4;

const OLDEST_WAITING = `select min(id) as id from rounds where status = 'resolving'`;

export const KILL_PLACES: readonly KillPlace[] = [
  {
    // PostgreSQL goes on without the process and takes them all: their agents ask again with the same key. It shows the
    // beginning of a statement alone.
    name: 'while submissions wait for the database',
    block: ['begin', `select 1 from rounds where status = 'active' for update`],
    async reached(operator) {
      const { rows } = await operator.query<{ id: number }>(`
        select r.id from pg_stat_activity a cross join rounds r
        where a.wait_event_type = 'Lock' and a.query like '%with offered as materialized%' and r.status = 'active'`);
      return rows[0]?.id ?? null;
    },
    left: 'active',
    speed: SLOW,
  },
  {
    name: 'before its transaction has changed anything',
    block: [`select pg_advisory_lock(${ADVISORY_LOCKS.resolutions})`],
    reached: waiting(`locktype = 'advisory' and objid = ${ADVISORY_LOCKS.resolutions}`),
    left: 'resolving',
    speed: FAST,
  },
  {
    name: 'in the middle of its transaction, scores, standings and boards being written',
    block: ['begin', 'lock table field_tallies in share mode'],
    reached: waiting(`relation = 'field_tallies'::regclass`),
    left: 'resolving',
    speed: FAST,
  },
  {
    name: 'between the commit and the publishing of its events',
    block: [
      `create function wait_at_commit() returns trigger language plpgsql as
        $$ begin perform pg_advisory_xact_lock_shared(${COMMIT_LOCK}); return null; end $$`,
      `create constraint trigger wait_at_commit after insert on events deferrable initially deferred for each row
        when (new.kind = 'ROUND_RESOLVED') execute function wait_at_commit()`,
      `select pg_advisory_lock(${COMMIT_LOCK})`,
    ],
    reached: waiting(`locktype = 'advisory' and objid = ${COMMIT_LOCK}`),
    left: 'resolved',
    speed: FAST,
  },
  {
    name: 'after its events are published',
    block: [],
    async reached(_operator, { subscribers }) {
      const line = subscribers[0]?.received.find((received) => received.includes('ROUND_RESOLVED'));
      return line === undefined ? null : Number(line.split(' ')[2]);
    },
    left: 'resolved',
    speed: FAST,
  },
];

/** Runs the service until a round comes to the place, kills it there, starts it again and lets it catch up. */
export async function killAt({ block, reached, speed }: KillPlace, seed: number): Promise<KillOutcome> {
  await using opened = new AsyncDisposableStack();
  const database = await createTestDatabase();
  opened.defer(() => database.drop());
  const operator = await connect(database.connection, opened);
  const barrier = await connect(database.connection, opened);
  const site = opened.use(
    await deployment({ DATABASE_URL: databaseUrl(database.connection), CLOCK_SPEED: String(speed) }),
  );
  await site.start();
  for (const sql of block) await barrier.query(sql);
  const load = opened.use(startLoad({ seed, agents: AGENTS, urls: site.urls, speed }));
  const subscribers = [
    opened.use(socketSubscriber('the socket', site.urls)),
    opened.use(streamSubscriber('the stream', site.urls)),
  ];
  const arena = { site, load, subscribers };
  const round = await untilDespiteFaults('a round has come there', () => reached(operator, arena));
  await site.first.end('SIGKILL');
  await barrier.end();
  await untilDespiteFaults('nothing of the killed process is left', async () => (await sessions(operator)) === 0);
  const left = await statusOf(operator, round);
  await site.start();
  await untilDespiteFaults('the round is decided', async () => (await statusOf(operator, round)) === 'resolved');
  const wrong = await settle(arena);
  return { left, status: await statusOf(operator, round), differences: wrong };
}

/** The oldest undecided round, once somebody waits for a lock that `condition` on pg_locks describes. */
function waiting(condition: string): KillPlace['reached'] {
  return async (operator) => {
    const { rows } = await operator.query(`select 1 from pg_locks where not granted and ${condition}`);
    return rows.length === 0 ? null : ((await operator.query<{ id: number }>(OLDEST_WAITING)).rows[0]?.id ?? null);
  };
}

async function connect(connection: ConstructorParameters<typeof Client>[0], opened: AsyncDisposableStack) {
  const client = new Client(connection);
  await client.connect();
  opened.defer(() => client.end());
  return client;
}

async function sessions(operator: Client): Promise<number> {
  const { rows } = await operator.query<{ n: number }>(
    'select count(*)::int as n from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()',
  );
  return rows[0]?.n ?? 0;
}

async function statusOf(operator: Client, round: number): Promise<string> {
  const { rows } = await operator.query<{ status: string }>('select status from rounds where id = $1', [round]);
  return rows[0]?.status ?? 'gone';
}
