import { existsSync, readFileSync } from 'node:fs';

const LOOK_MS = 1_000;
const KILOBYTE = 1024;
/** Columns of /proc/net/tcp: local and remote address, state, send and receive queues. */
const ROW = /^\s*\d+: \w+:(?<port>\w+) \w+:(?<peer>\w+) (?<state>\w+) (?<unsent>\w+):(?<unread>\w+)/;

export interface Usage {
  /** Maximum resident memory of the process, in bytes. */
  readonly rss: number;
  /** Maximum of the kernel's unread bytes at either end of its connections. */
  readonly unread: number;
  /** Connections with bytes to send at the last check. */
  readonly stuck: number;
  /** Maximum of connections that the process had not accepted yet. */
  readonly waiting: number;
}

/** Reads Linux's figures every second. */
export function watchUsage(pid: number, port: number): { stop(): Usage } {
  let usage: Usage = { rss: 0, unread: 0, stuck: 0, waiting: 0 };
  const look = (): void => {
    const { unread, stuck, waiting } = connectionsOf(port);
    usage = {
      rss: Math.max(usage.rss, residentOf(pid)),
      unread: Math.max(usage.unread, unread),
      stuck,
      waiting: Math.max(usage.waiting, waiting),
    };
  };
  look();
  const looking = setInterval(look, LOOK_MS).unref();
  return {
    stop() {
      clearInterval(looking);
      look();
      return usage;
    },
  };
}

/** Resident bytes; 0 if the process has ended, which the answers show. */
export function residentOf(pid: number): number {
  const status = `/proc/${pid}/status`;
  const [, kilobytes = '0'] = /^VmRSS:\s+(\d+) kB$/m.exec(existsSync(status) ? readFileSync(status, 'utf8') : '') ?? [];
  return Number(kilobytes) * KILOBYTE;
}

/** Both ends of a connection have a row on this machine. The listening socket's row counts the accept queue. */
function connectionsOf(port: number): Pick<Usage, 'unread' | 'stuck' | 'waiting'> {
  const LISTENING = '0A';
  let [unread, stuck, waiting] = [0, 0, 0];
  for (const line of readFileSync('/proc/net/tcp', 'utf8').split('\n')) {
    const row = ROW.exec(line)?.groups;
    if (row === undefined) continue;
    const hex = (column: string): number => Number.parseInt(row[column] ?? '0', 16);
    if (row['state'] === LISTENING) {
      if (hex('port') === port) waiting = hex('unread');
      continue;
    }
    if (hex('port') === port) {
      unread += hex('unsent');
      if (hex('unsent') > 0) stuck += 1;
    }
    if (hex('peer') === port) unread += hex('unread');
  }
  return { unread, stuck, waiting };
}
