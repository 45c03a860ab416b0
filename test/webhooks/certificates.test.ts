import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import { promisify } from 'node:util';

import { afterAll, beforeAll, expect, test } from '@jest/globals';

import { listen } from '../../src/http/server.ts';
import { call } from '../../src/webhooks/call.ts';
import { describeWith } from '../support/installed.ts';
import { scopedFolder } from '../support/own-folder.ts';

/* Calls over TLS go to an address; the certificate must be that of the name which led there. */

const NAME = 'hook.test';

describeWith(['openssl'], 'a call over https', () => {
  const closing = new AsyncDisposableStack();
  const trusted = getCACertificates('default');
  const names: unknown[] = [];
  let certificate: string;
  let port: string;

  beforeAll(async () => {
    const { path: folder } = closing.use(await scopedFolder());
    const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
    const request = `req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=${NAME}`;
    const files = ['-addext', `subjectAltName=DNS:${NAME}`, '-keyout', key, '-out', cert];
    await promisify(execFile)('openssl', [...request.split(' '), ...files]);
    certificate = await readFile(cert, 'utf8');
    const server = createServer({ cert: certificate, key: await readFile(key) }, ({ headers }, response) => {
      names.push(headers.host);
      response.writeHead(204).end();
    });
    ({ port } = new URL(await listen(server, { port: 0, host: '127.0.0.1' })));
    closing.defer(() => {
      server.closeAllConnections();
      server.close();
    });
  });
  afterAll(async () => {
    setDefaultCACertificates(trusted);
    await closing.disposeAsync();
  });

  const calling = (name: string) =>
    call(
      { url: `https://${name}:${port}/`, headers: {}, body: '{}' },
      { reach: 'any', resolve: () => Promise.resolve(['127.0.0.1']) },
      new AbortController().signal,
    );
  const INVALID = { status: null, error: 'The TLS certificate is not valid for the host name.' };

  test('an untrusted certificate is refused', async () => {
    expect(await calling(NAME)).toMatchObject(INVALID);
    expect(names).toEqual([]);
  });

  test('a certificate is accepted only for its own name', async () => {
    setDefaultCACertificates([...trusted, certificate]);
    expect(await calling('other.test')).toMatchObject(INVALID);
    expect(await calling(NAME)).toMatchObject({ status: 204, error: null });
    expect(names).toEqual([`${NAME}:${port}`]);
  });
});
