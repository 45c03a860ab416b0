import { spawn } from 'node:child_process';
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

/** nginx with deploy/nginx.conf in front of two processes, which accepts it and answers; it ends with `stack`. */
export async function startNginx(stack: AsyncDisposableStack, upstreams: readonly [one: string, two: string]) {
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
  const nginx = spawn('nginx', parameters, { stdio: 'ignore' });
  const ended = once(nginx, 'exit');
  stack.defer(async () => {
    nginx.kill('SIGTERM');
    await ended;
  });
  const agent = new Agent({ ca: await readFile(certificate), keepAlive: true, maxSockets: 100 });
  stack.defer(() => agent.destroy());
  const get = (path: string, headers: OutgoingHttpHeaders = {}): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      const asked = request(`https://127.0.0.1:${port}${path}`, { agent, headers }, resolve);
      asked.once('error', reject).end();
    });
  const health = async () => (await get('/api/health')).resume().statusCode;
  await untilDespiteFaults('it answers', async () => (await health()) === 200);
  return { port, plainPort, agent, get };
}
