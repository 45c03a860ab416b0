import { connect, createServer } from 'node:net';
import { pipeline, Transform } from 'node:stream';

import { listening } from '../../support/listening.ts';

/** An address whose new connections go to the port that was named last; those that are open stay. */
export async function openLine(port: number) {
  let target = port;
  let lost: string | null = null;
  let generation = 0;
  const server = createServer((socket) => {
    const opened = generation;
    const passed = new Transform({
      transform: (sent: Buffer, _encoding, pass) =>
        pass(null, opened < generation || (lost !== null && sent.includes(lost)) ? null : sent),
    });
    pipeline(socket, passed, connect(target, '127.0.0.1'), socket, () => {});
  });
  const line = await listening(server);
  return {
    url: `redis://127.0.0.1:${line.port}`,
    passTo: (next: number) => void (target = next),
    /** Drops what processes send with this word. */
    lose: (word: string) => void (lost = word),
    /** Drops all that is sent from now on over the connections that are open. */
    sever: () => void (generation += 1),
    close: async () => line[Symbol.asyncDispose](),
  };
}
