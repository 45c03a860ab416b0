import { connect, createServer, type Socket } from 'node:net';
import { join } from 'node:path';

import type { DatabaseConnection } from '../../src/database/connection.ts';
import { listening } from '../support/listening.ts';
import { seeded } from '../support/seeded.ts';

/** The line between the service and its PostgreSQL, which can be made slow and bad. */
export interface TroubledLine extends AsyncDisposable {
  /** The database as the service is told of it. */
  readonly url: string;
  /** From now on each answer of the server's takes so much longer. */
  slow(ms: number): void;
  /** From now on so many of the server's answers are lost, and their connections with them: what was done is done. */
  lose(share: number): void;
  /**
   * The next statement with this text or name is cut off: before it has reached the server, or after that has done it and
   * before its answer has reached the service.
   */
  cutOff(text: string, when: 'before' | 'after'): void;
}

export async function troubledLine({ host, port, user, database }: DatabaseConnection): Promise<TroubledLine> {
  const random = seeded(5);
  const trouble: { ms: number; lost: number; cut: { text: string; when: 'before' | 'after' } | null } = {
    ms: 0,
    lost: 0,
    cut: null,
  };
  const sockets = new Set<Socket>();
  const server = createServer((client) => {
    const upstream = connect(join(host, `.s.PGSQL.${port}`));
    const end = (): void => {
      for (const socket of [client, upstream]) {
        socket.destroy();
        sockets.delete(socket);
      }
    };
    for (const socket of [client, upstream]) sockets.add(socket.on('error', end).on('close', end));
    let isCut = false;
    client.on('data', (chunk: Buffer) => {
      if (trouble.cut !== null && chunk.includes(trouble.cut.text)) {
        isCut = true;
        const { when } = trouble.cut;
        trouble.cut = null;
        if (when === 'before') return end();
      }
      upstream.write(chunk);
    });
    upstream.on('data', (answer: Buffer) => {
      if (isCut || random.chance(trouble.lost)) end();
      else if (trouble.ms === 0) client.write(answer);
      // As many chunks as there are come in order: timers of the same length do.
      else setTimeout(() => client.write(answer), trouble.ms);
    });
  });
  const line = await listening(server);
  return {
    url: `postgresql://${user}@127.0.0.1:${line.port}/${database}`,
    slow: (ms) => void (trouble.ms = ms),
    lose: (share) => void (trouble.lost = share),
    cutOff: (text, when) => void (trouble.cut = { text, when }),
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await line[Symbol.asyncDispose]();
    },
  };
}
