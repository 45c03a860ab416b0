import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';

import { startRedis } from './redis.ts';
import { scopedFolder } from './own-folder.ts';

const run = promisify(execFile);

/** A server that only accepts TLS, with a self-signed certificate for 127.0.0.1. */
export async function startRedisTls(): Promise<{ readonly url: string } & AsyncDisposable> {
  const stack = new AsyncDisposableStack();
  const folder = stack.use(await scopedFolder());
  const [cert, key] = [join(folder.path, 'cert.pem'), join(folder.path, 'key.pem')];
  const request = 'req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 2 -subj /CN=127.0.0.1';
  const files = ['-addext', 'subjectAltName=IP:127.0.0.1', '-keyout', key, '-out', cert];
  await run('openssl', [...request.split(' '), ...files]);
  const tls = ['--tls-cert-file', cert, '--tls-key-file', key, '--tls-ca-cert-file', cert, '--tls-auth-clients', 'no'];
  const server = stack.use(await startRedis({ arguments: ['--port', '0', '--tls-port', 'PORT', ...tls] }));
  const url = `rediss://127.0.0.1:${server.port}?ca=${encodeURIComponent(cert)}`;
  return { url, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}
