import type { Server } from 'node:http';

import { codeOf, ConfigError } from './config.ts';

const ADVICE: Readonly<Record<string, string>> = {
  EADDRINUSE: 'is in use: stop what listens there, or set PORT to a free one.',
  EACCES: 'is not for this account: set PORT to one from 1024 on.',
  EADDRNOTAVAIL: 'cannot be listened on: this machine has no such address; set HOST to one of its own.',
  ENOTFOUND: 'cannot be listened on: the name is not known; set HOST to an address of this machine.',
};

/**
 * Lets `server` take requests, and answers its URL. Throws a `ConfigError` where the settings name no place to listen.
 */
export function listen(server: Server, { port, host }: { port: number; host: string }): Promise<string> {
  return new Promise((resolve, reject) => {
    server.once('error', (cause) => {
      const advice = ADVICE[codeOf(cause)];
      if (advice === undefined) reject(cause);
      else reject(new ConfigError(`Port ${port} on ${host} ${advice}`, { cause }));
    });
    server.listen(port, host, () => {
      const address = server.address();
      if (address === null || typeof address === 'string') throw new Error('The server listens on no port');
      resolve(`http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`);
    });
  });
}
