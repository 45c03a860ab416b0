import { expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage } from 'node:http';
import { Agent, request } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { WebSocket } from 'ws';

import { fixedPort } from '../../support/fixed-port.ts';
import { describeWith } from '../../support/installed.ts';
import { untilDespiteFaults } from '../../support/poll.ts';
import { launch } from '../../support/process.ts';
import { deployFile, ROOT, shell } from './shell.ts';

async function folderOf(stack: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hourcast-test-machine-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describeWith(['systemd-analyze'], 'deploy/hourcast.service', () => {
  test('systemd accepts the unit without remarks', async () => {
    await using stack = new AsyncDisposableStack();
    const unit = join(await folderOf(stack), 'hourcast.service');
    await writeFile(unit, deployFile('hourcast.service', { '/opt/hourcast': ROOT }));
    const { stdout, stderr } = await shell(`systemd-analyze verify --man=no '${unit}'`);
    expect(`${stdout}${stderr}`).not.toContain('hourcast.service');
  });
});

describeWith(['nginx', 'openssl'], 'deploy/nginx.conf', () => {
  test('nginx accepts the configuration, and proxies answers, WebSockets and streams over TLS, not probes', async () => {
    await using stack = new AsyncDisposableStack();
    const folder = await folderOf(stack);
    const [port, plainPort] = [await fixedPort(), await fixedPort()];
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    await shell(
      `openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=localhost \
         -addext subjectAltName=IP:127.0.0.1 -keyout '${key}' -out '${certificate}'`,
    );
    const [one, two] = [
      stack.use(await launch({ DATA_DIR: join(folder, 'one'), TRUST_PROXY: '1' })),
      stack.use(await launch({ DATA_DIR: join(folder, 'two'), TRUST_PROXY: '1' })),
    ];
    const block = deployFile('nginx.conf', {
      '10.0.0.11:3001': new URL(one.url).host,
      '10.0.0.12:3001': new URL(two.url).host,
      'listen 80;': `listen 127.0.0.1:${plainPort};`,
      'listen 443': `listen 127.0.0.1:${port}`,
      '/etc/letsencrypt/live/hourcast.example.org/fullchain.pem': certificate,
      '/etc/letsencrypt/live/hourcast.example.org/privkey.pem': key,
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
    const dispatcher = new Agent({ ca: await readFile(certificate) });
    const get = (path: string, headers: Readonly<Record<string, string>> = {}): Promise<IncomingMessage> =>
      new Promise((resolve, reject) => {
        const asked = request(`https://127.0.0.1:${port}${path}`, { agent: dispatcher, headers }, resolve);
        asked.once('error', reject).end();
      });
    await untilDespiteFaults('it answers', async () => (await get('/api/health')).statusCode === 200);
    for (const path of ['/livez', '/readyz', '/metrics', '/admin/audit'])
      expect([path, (await get(path)).statusCode]).toEqual([path, 404]);
    const guide = await get('/docs/agents.md', { 'x-forwarded-host': 'elsewhere.example' });
    expect(await text(guide)).not.toContain('elsewhere.example');
    const events = await get('/api/events?after=0');
    const [part] = await once(events, 'data');
    expect(String(part)).toContain('id: ');
    const plain = await fetch(`http://127.0.0.1:${plainPort}/api/health`, { redirect: 'manual' });
    expect([plain.status, plain.headers.get('location')]).toEqual([301, 'https://127.0.0.1/api/health']);
    const socket = new WebSocket(`wss://127.0.0.1:${port}/graphql`, 'graphql-transport-ws', { agent: dispatcher });
    await once(socket, 'open');
    socket.terminate();
  });
});

describeWith(['promtool'], 'deploy/alarms.yaml and deploy/grafana.json', () => {
  test('Prometheus accepts the alarm rules and the dashboard’s queries', async () => {
    await using stack = new AsyncDisposableStack();
    const folder = await folderOf(stack);
    const panels: readonly { readonly targets: readonly { readonly expr: string }[] }[] = JSON.parse(
      deployFile('grafana.json'),
    ).panels;
    const queries = panels.flatMap(({ targets }) => targets).map(({ expr }, index) => ({ record: `q${index}`, expr }));
    const asked = join(folder, 'queries.json');
    await writeFile(asked, JSON.stringify({ groups: [{ name: 'queries', rules: queries }] }));
    const { stdout } = await shell(`promtool check rules '${join(ROOT, 'deploy/alarms.yaml')}' '${asked}'`);
    expect(stdout).toMatch(new RegExp(`SUCCESS: \\d+ rules found[^]*SUCCESS: ${queries.length} rules found`));
  });
});
