import { expect, test } from '@jest/globals';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { WebSocket } from 'ws';

import { describeWith } from '../../support/installed.ts';
import { launch } from '../../support/process.ts';
import { folderOf, startNginx } from './nginx.ts';
import { deployFile, ROOT, shell } from './shell.ts';

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
    const [one, two] = [
      stack.use(await launch({ DATA_DIR: join(folder, 'one'), TRUST_PROXY: '1' })),
      stack.use(await launch({ DATA_DIR: join(folder, 'two'), TRUST_PROXY: '1' })),
    ];
    const { port, plainPort, agent, get } = await startNginx(stack, [one.url, two.url]);
    for (const path of ['/livez', '/readyz', '/metrics', '/admin/audit'])
      expect([path, (await get(path)).statusCode]).toEqual([path, 404]);
    const guide = await get('/docs/agents.md', { 'x-forwarded-host': 'elsewhere.example' });
    expect(await text(guide)).not.toContain('elsewhere.example');
    const events = await get('/api/events?after=0');
    const [part] = await once(events, 'data');
    expect(String(part)).toContain('id: ');
    const plain = await fetch(`http://127.0.0.1:${plainPort}/api/health`, { redirect: 'manual' });
    expect([plain.status, plain.headers.get('location')]).toEqual([301, 'https://127.0.0.1/api/health']);
    const socket = new WebSocket(`wss://127.0.0.1:${port}/graphql`, 'graphql-transport-ws', { agent });
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
    const file = join(folder, 'queries.json');
    await writeFile(file, JSON.stringify({ groups: [{ name: 'queries', rules: queries }] }));
    const { stdout } = await shell(`promtool check rules '${join(ROOT, 'deploy/alarms.yaml')}' '${file}'`);
    expect(stdout).toMatch(new RegExp(`SUCCESS: \\d+ rules found[^]*SUCCESS: ${queries.length} rules found`));
  });
});
