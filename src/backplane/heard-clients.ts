import { Client } from 'pg';

/**
 * Gives every connection of this process somebody who hears its errors, from its beginning on. An error that nobody
 * hears ends the process, and BullMQ begins to listen to the connection of its notifications only when that has been
 * opened: PostgreSQL may refuse it again in the same breath. Whoever uses a connection learns of its end all the same.
 */
export function hearAllClients(): void {
  if ('isHeard' in Client.prototype) return;
  // It is called on the client at hand.
  // oxlint-disable-next-line typescript/unbound-method
  const connect: (...given: unknown[]) => unknown = Client.prototype.connect;
  Object.assign(Client.prototype, {
    isHeard: true,
    connect(this: Client, ...given: unknown[]): unknown {
      this.on('error', () => {});
      return connect.apply(this, given);
    },
  });
}
