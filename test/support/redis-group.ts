import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { until } from './poll.ts';
import { freePort, startRedis, type TestRedis } from './redis.ts';

const run = promisify(execFile);

/** Servers that belong together. */
export interface RedisGroup extends AsyncDisposable {
  readonly url: string;
}

const NODES = 3;
const SLOTS = 16_384;

/** Three nodes that make up a cluster, each with a third of the slots (about 2 s). */
export async function startRedisCluster(): Promise<RedisGroup> {
  const stack = new AsyncDisposableStack();
  const nodes: (TestRedis & { busPort: number })[] = [];
  for (let place = 0; place < NODES; place += 1) {
    const busPort = await freePort();
    const node = stack.use(
      await startRedis({ arguments: ['--cluster-enabled', 'yes', '--cluster-port', String(busPort)] }),
    );
    const slots = [Math.ceil((SLOTS * place) / NODES), Math.ceil((SLOTS * (place + 1)) / NODES) - 1].map(String);
    await node.cli('cluster', 'addslotsrange', ...slots);
    await node.cli('cluster', 'set-config-epoch', String(place + 1));
    for (const { port, busPort: bus } of nodes)
      await node.cli('cluster', 'meet', '127.0.0.1', String(port), String(bus));
    nodes.push({ ...node, busPort });
  }
  for (const node of nodes) {
    await until('the cluster agreed', async () => (await node.cli('cluster', 'info')).includes('cluster_state:ok'));
  }
  const url = `redis+cluster://${nodes.map(({ port }) => `127.0.0.1:${port}`).join(',')}`;
  return { url, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** A leader, its replica, and a sentinel that watches over them. */
export async function startRedisSentinel(): Promise<
  RedisGroup & { readonly leader: TestRedis; readonly sentinel: TestRedis }
> {
  const stack = new AsyncDisposableStack();
  const leader = stack.use(await startRedis());
  const replica = stack.use(await startRedis({ arguments: ['--replicaof', '127.0.0.1', String(leader.port)] }));
  await until('the replica follows', async () =>
    (await replica.cli('info', 'replication')).includes('master_link_status:up'),
  );
  const sentinel = stack.use(
    await startRedis({
      configuration: [
        `sentinel monitor leader 127.0.0.1 ${leader.port} 1`,
        'sentinel down-after-milliseconds leader 500',
        'sentinel failover-timeout leader 2000',
      ],
      ready: /\+monitor master leader/,
    }),
  );
  await until('the sentinel knows the replica', async () =>
    (await sentinel.cli('sentinel', 'replicas', 'leader')).includes(String(replica.port)),
  );
  const url = `redis+sentinel://127.0.0.1:${sentinel.port}/0?name=leader`;
  return { url, leader, sentinel, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

/** A server that takes connections with TLS alone, whose certificate is its own for 127.0.0.1. */
export async function startRedisTls(): Promise<RedisGroup> {
  const stack = new AsyncDisposableStack();
  const folder = await mkdtemp(join(tmpdir(), 'hourcast-tls-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const request = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=127.0.0.1';
  const files = ['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert];
  await run('openssl', [...request.split(' '), ...files]);
  const tls = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', cert, '--tls-auth-clients', 'no'];
  const server = stack.use(await startRedis({ arguments: ['--port', '0', '--tls-port', 'PORT', ...tls] }));
  const url = `rediss://127.0.0.1:${server.port}?ca=${encodeURIComponent(cert)}`;
  return { url, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
