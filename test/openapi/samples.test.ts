import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

import { expect, test } from '@jest/globals';

import { type Sample, samplesOf } from '../../src/openapi/samples.ts';
import { operationsOf } from '../../src/pages/guides/llms.ts';
import { whereInstalled } from '../support/installed.ts';
import { listening } from '../support/listening.ts';
import { reference } from '../support/reference.ts';

const CLIENTS = join(import.meta.dirname, '../../clients');
const KEY = `pk_live_${'0'.repeat(48)}`;
const REFUSED = JSON.stringify({ error: 'No.', code: 'bad_request' });
const operations = operationsOf(reference().document);

/** Each runs all programs of a list in turn, whatever becomes of one. */
const RUNNERS: Readonly<Record<Sample[0], readonly [string, ...string[]]>> = {
  sh: ['bash', '-c', 'while IFS= read -rd "" program; do bash -c "$program"; done'],
  js: [
    process.execPath,
    '--input-type=module',
    '--eval',
    `import { json } from 'node:stream/consumers';
    for (const program of await json(process.stdin)) {
      const placed = program.replace('hourcast-client', ${JSON.stringify(`file://${CLIENTS}/js/src/index.ts`)});
      await import('data:text/javascript,' + encodeURIComponent(placed)).catch((error) => error.code === 'bad_request' || console.error(error));
    }`,
  ],
  py: [
    'python3',
    '-c',
    `import json, sys
from hourcast import HourcastError
for program in json.load(sys.stdin):
    try:
        exec(program, {})
    except HourcastError as error:
        assert error.code == "bad_request", error`,
  ],
};

/** What a server is asked by the samples of a language, and what they complain of. */
async function askedBy(language: Sample[0]): Promise<{ requests: readonly unknown[]; complaints: string }> {
  const requests: unknown[] = [];
  const server = createServer(async (request, response) => {
    const { method, url = '', headers } = request;
    const body = await text(request);
    // Clients send the key that they have; curl sends it where it is needed.
    const key = /^\/api\/(me|predictions)\b/.test(url) ? headers.authorization : 'any';
    requests.push({ method, url, key, body: body.startsWith('{"') ? JSON.parse(body) : '' });
    response.writeHead(400, { 'content-type': 'application/json' }).end(REFUSED);
  });
  await using listener = await listening(server);
  const programs = operations
    .flatMap(samplesOf)
    .flatMap(([name, program]) =>
      name === language ? [program.replaceAll('http://127.0.0.1:3000', listener.url)] : [],
    );
  const [program, ...parameters] = RUNNERS[language];
  const env = {
    ...process.env,
    HOURCAST_KEY: KEY,
    PYTHONPATH: join(CLIENTS, 'python/src'),
    PYTHONDONTWRITEBYTECODE: '1',
  };
  const runner = spawn(program, parameters, { env, stdio: ['pipe', 'ignore', 'pipe'] });
  runner.stdin.end(language === 'sh' ? programs.map((one) => `${one}\0`).join('') : JSON.stringify(programs));
  const [complaints] = await Promise.all([text(runner.stderr), once(runner, 'exit')]);
  return { requests, complaints };
}

whereInstalled(['curl', 'python3'], 'the samples of the reference', () =>
  test('the samples send the same requests in every language, each operation once', async () => {
    const [sh, js, py] = await Promise.all([askedBy('sh'), askedBy('js'), askedBy('py')]);
    expect([sh.complaints, js.complaints, py.complaints]).toEqual(['', '', '']);
    expect(sh.requests).toHaveLength(operations.length);
    expect(sh.requests).toContainEqual(expect.objectContaining({ url: '/api/me', key: `Bearer ${KEY}` }));
    const byClients = sh.requests.filter((one) => !JSON.stringify(one).includes('.csv'));
    expect(js.requests).toEqual(byClients);
    expect(py.requests).toEqual(byClients);
  }),
);
