import { expect, test } from '@jest/globals';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { WebSocket } from 'ws';

import { fixedPort } from '../../support/fixed-port.ts';
import { blockWith } from '../../support/document-blocks.ts';
import { describeWith } from '../../support/installed.ts';
import { untilDespiteFaults } from '../../support/poll.ts';
import { launch } from '../../support/process.ts';
import { OPERATING, ROOT, shell } from './shell.ts';

async function folderOf(stack: AsyncDisposableStack): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'hourcast-test-machine-'));
  stack.defer(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

describeWith(['systemd-analyze'], 'the unit file of docs/operating.md', () => {
  test('is one that systemd takes, with nothing to remark', async () => {
    await using stack = new AsyncDisposableStack();
    const unit = join(await folderOf(stack), 'hourcast.service');
    await writeFile(unit, blockWith(OPERATING, '[Unit]', { '/opt/hourcast': ROOT }));
    const { stdout, stderr } = await shell(`systemd-analyze verify --man=no '${unit}'`);
    expect(`${stdout}${stderr}`).not.toContain('hourcast.service');
  });
});

describeWith(['nginx'], 'the nginx of docs/operating.md', () => {
  test('is one that nginx takes, and passes on what it should: answers, sockets and streams, no probes', async () => {
    await using stack = new AsyncDisposableStack();
    const folder = await folderOf(stack);
    const port = String(await fixedPort());
    const [one, two] = [
      stack.use(await launch({ DATA_DIR: join(folder, 'one'), TRUST_PROXY: '1' })),
      stack.use(await launch({ DATA_DIR: join(folder, 'two'), TRUST_PROXY: '1' })),
    ];
    const block = blockWith(OPERATING, 'upstream hourcast', {
      '10.0.0.11:3001': new URL(one.url).host,
      '10.0.0.12:3001': new URL(two.url).host,
      'listen 8080': `listen 127.0.0.1:${port}`,
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
    const url = `http://127.0.0.1:${port}`;
    await untilDespiteFaults('it answers', async () => (await fetch(`${url}/api/health`)).ok);
    for (const path of ['/livez', '/readyz', '/metrics', '/admin/audit'])
      expect([path, (await fetch(url + path)).status]).toEqual([path, 404]);
    const events = await fetch(`${url}/api/events?after=0`);
    const { value } = (await events.body?.getReader().read()) ?? {};
    expect(new TextDecoder().decode(value)).toContain('id: ');
    const socket = new WebSocket(`ws://127.0.0.1:${port}/graphql`, 'graphql-transport-ws');
    await once(socket, 'open');
    socket.terminate();
  });
});
