import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { fixedPort } from '../../support/fixed-port.ts';
import { untilDespiteFaults } from '../../support/poll.ts';
import { deployFile, shell } from './shell.ts';

export async function folderOf(stack: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hourcast-test-machine-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

type Pair = readonly [one: string, two: string];

/**
 * nginx with deploy/nginx.conf in front of two processes, and of two with ROLE=feed if `feeds` names them; it accepts the file,
 * answers, and ends with `stack`.
 */
export async function startNginx(stack: AsyncDisposableStack, upstreams: Pair, feeds = upstreams) {
  const folder = await folderOf(stack);
  const [port, plainPort] = [await fixedPort(), await fixedPort()];
  const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
  await shell(
    `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
       -addext subjectAltName=IP:127.0.0.1 -keyout '${key}' -out '${certificate}'`,
  );
  const block = deployFile('nginx.conf', {
    '10.0.0.11:3001': new URL(upstreams[0]).host,
    '10.0.0.12:3001': new URL(upstreams[1]).host,
    '10.0.0.11:3201': new URL(feeds[0]).host,
    '10.0.0.12:3201': new URL(feeds[1]).host,
    'listen 80;': `listen 127.0.0.1:${plainPort};`,
    'listen 443': `listen 127.0.0.1:${port}`,
    '/etc/letsencrypt/live/hourcast.example.org/fullchain.pem': certificate,
    '/etc/letsencrypt/live/hourcast.example.org/privkey.pem': key,
    '/var/cache/hourcast': join(folder, 'cache'),
  });
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const paths = temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ');
  const configuration = join(folder, 'nginx.conf');
  await writeFile(
    configuration,
    `user root; daemon off; pid ${folder}/nginx.pid; error_log ${folder}/error.log; events {}\n` +
      `http { access_log off; ${paths}\n${block}}\n`,
  );
  const parameters = ['-p', folder, '-c', configuration, '-e', `${folder}/error.log`];
  await shell(`nginx -t ${parameters.join(' ')}`);
  let nginx = run(parameters);
  const kill = async (): Promise<void> => {
    const { child, ended } = nginx;
    // As its own group: a killed master leaves its workers behind, which hold the port.
    if (child.pid !== undefined && isRunning(child)) process.kill(-child.pid, 'SIGKILL');
    await ended;
  };
  stack.defer(async () => {
    nginx.child.kill('SIGTERM');
    await nginx.ended;
  });
  const authority = await readFile(certificate, 'utf8');
  const agent = new Agent({ ca: authority, keepAlive: true, maxSockets: 100 });
  stack.defer(() => agent.destroy());
  const get = (path: string, headers: OutgoingHttpHeaders = {}): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const sent = request(`https://127.0.0.1:${port}${path}`, { agent, headers }, resolve);
      sent.once('error', reject).end();
    });
  const answers = (path: string, status: number) =>
    untilDespiteFaults('nginx answers', async () => (await get(path)).resume().statusCode === status);
  await answers('/api/health', 200);
  const start = async (): Promise<void> => {
    nginx = run(parameters);
    // nginx itself refuses it.
    await answers('/livez', 404);
  };
  return { port, plainPort, agent, get, url: `https://127.0.0.1:${port}`, authority, kill, start };
}

function run(parameters: readonly string[]) {
  const child = spawn('nginx', parameters, { stdio: 'ignore', detached: true });
  return { child, ended: once(child, 'exit') };
}

const isRunning = ({ exitCode, signalCode }: ChildProcess): boolean => exitCode === null && signalCode === null;
