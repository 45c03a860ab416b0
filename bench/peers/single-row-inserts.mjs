// Does what pgbench does with one prepared INSERT (`-M prepared`), since the embedded PostgreSQL lacks pgbench. One statement is in
// flight on each connection, with libpq's messages (Bind, Describe, Execute, Sync) as bytes. It reads only that the server is
// ready again.
import { connect } from 'node:net';

import { CONNECTION } from './database.mjs';

const INSERT = `insert into predictions (agent_id, round_id, prediction, confidence) values ($1, $2, $3, $4)
  on conflict do nothing returning id, submitted_at`;
const PROTOCOL = 196_608;
const MOST_LATENCIES = 4_000_000;

const text = (value) => Buffer.from(`${value}\0`);
const int16 = (value) => Buffer.from([value >> 8, value & 255]);
const int32 = (value) => Buffer.from([value >>> 24, (value >> 16) & 255, (value >> 8) & 255, value & 255]);

function message(type, ...parts) {
  const body = Buffer.concat(parts);
  return Buffer.concat([Buffer.from(type), int32(body.length + 4), body]);
}

const SYNC = message('S');
const AFTER_BIND = Buffer.concat([message('D', text('P')), message('E', text(''), int32(0)), SYNC]);

function inserting(values) {
  const parameters = values.flatMap((value) => {
    const bytes = Buffer.from(String(value));
    return [int32(bytes.length), bytes];
  });
  const bind = message('B', text(''), text('insert'), int16(0), int16(values.length), ...parameters, int16(0));
  return Buffer.concat([bind, AFTER_BIND]);
}

/** `onReady` is called after each answer. */
async function prepared(onReady) {
  const { host, port, user, database } = CONNECTION;
  const socket = connect({ path: `${host}/.s.PGSQL.${port}` });
  const parameters = Buffer.concat(['user', user, 'database', database, ''].map(text));
  socket.write(Buffer.concat([int32(parameters.length + 8), int32(PROTOCOL), parameters]));
  let take = onReady;
  const ready = () => new Promise((resolve) => (take = resolve));
  socket.on('data', (bytes) => {
    // 'E' is an error, 'N' a notice; ReadyForQuery, which ends an answer, is Z, the length 5 and the state.
    if (bytes[0] === 69) throw new Error(`PostgreSQL answers ${bytes.toString('latin1')}`);
    if (bytes[bytes.length - 6] === 90 && bytes[bytes.length - 2] === 5) take();
  });
  await ready();
  socket.write(Buffer.concat([message('P', text('insert'), text(INSERT), int16(0)), SYNC]));
  await ready();
  take = onReady;
  return socket;
}

/** Later rounds than in earlier turns: a row is inserted once. */
let round = 1_000_000;

async function turn({ clients, agents, ms }) {
  const latencies = new Float64Array(MOST_LATENCIES);
  const state = { answers: 0, isCounting: false, isOver: false, n: 0 };
  round += 1;
  const sockets = await Promise.all(
    Array.from({ length: clients }, async () => {
      let sentAt = 0;
      const send = () => {
        if (state.isOver) return;
        if (state.n === agents) [state.n, round] = [0, round + 1];
        state.n += 1;
        sentAt = performance.now();
        // A stride prime to the number of agents reaches each of them.
        socket.write(inserting([1 + ((state.n * 7919) % agents), round, 'ETH', state.n % 101]));
      };
      const socket = await prepared(() => {
        if (state.isCounting) {
          latencies[state.answers % MOST_LATENCIES] = performance.now() - sentAt;
          state.answers += 1;
        }
        send();
      });
      send();
      return socket;
    }),
  );
  await new Promise((done) => setTimeout(done, ms / 5));
  process.send({ kind: 'counting' });
  state.isCounting = true;
  const [began, cpu] = [performance.now(), process.cpuUsage()];
  await new Promise((done) => setTimeout(done, ms));
  const took = performance.now() - began;
  const { user, system } = process.cpuUsage(cpu);
  state.isOver = true;
  for (const socket of sockets) socket.destroy();
  const sorted = latencies.subarray(0, Math.min(state.answers, MOST_LATENCIES)).toSorted();
  const at = (share) => sorted[Math.floor(sorted.length * share)];
  const clientUs = (user + system) / state.answers;
  return { answers: state.answers, ms: took, sent: state.answers, p50: at(0.5), p99: at(0.99), clientUs };
}

process.on('message', (asked) => turn(asked).then((loaded) => process.send({ kind: 'done', loaded })));
process.once('disconnect', () => process.exit(0));
