import { connect } from 'node:net';

/**
 * Sends bytes, and answers all that comes back until there is enough or the service ends the connection; the client
 * itself never does.
 */
export async function rawHttp(
  url: string,
  bytes: string,
  enough: (all: Buffer) => boolean = () => false,
): Promise<{ readonly text: string; readonly bytes: Buffer }> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  let all = Buffer.alloc(0);
  await new Promise<void>((resolve, reject) => {
    socket.on('data', (chunk) => {
      all = Buffer.concat([all, chunk]);
      if (enough(all)) resolve();
    });
    socket.once('end', resolve).once('error', reject);
    socket.write(bytes);
  });
  socket.destroy();
  return { text: all.toString('latin1'), bytes: all };
}
