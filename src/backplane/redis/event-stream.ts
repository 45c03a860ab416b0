import type { Redis } from 'ioredis';

import type { EventStream, StreamedLog } from '../backplane.ts';

/** Appends only after the expected entry: several processes may append, and none leaves a gap. */
const APPEND = `
  local found = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
  if (found and found[1] or '') ~= ARGV[1] then return 0 end
  for place = 2, #ARGV, 2 do redis.call('XADD', KEYS[1], ARGV[place], 'event', ARGV[place + 1]) end
  return 1`;

/** A Redis Stream for each log, whose ids are `0-<seq>`. */
export function redisStream(client: Redis, prefix: string): EventStream {
  const headKey = `${prefix}:log`;
  const keyOf = (log: string): string => `${prefix}:events:${log}`;
  return {
    head: () => client.get(headKey),
    async setHead(text, replaced) {
      const transaction = client.multi().set(headKey, text);
      if (replaced !== null) transaction.del(keyOf(replaced));
      await transaction.exec();
    },
    of: (log) => streamedLog(client, keyOf(log)),
  };
}

function streamedLog(client: Redis, key: string): StreamedLog {
  return {
    async newest() {
      const [found] = await client.xrevrange(key, '+', '-', 'COUNT', 1);
      return found === undefined ? null : seqOf(found[0]);
    },
    async oldest() {
      const [found] = await client.xrange(key, '-', '+', 'COUNT', 1);
      return found === undefined ? null : seqOf(found[0]);
    },
    async after(seq, limit) {
      const found = await client.xrange(key, `(${idOf(seq)}`, '+', 'COUNT', limit);
      return found.map(([id, [, text = '']]) => ({ seq: seqOf(id), text }));
    },
    async append(newest, events) {
      const entries = events.flatMap(({ seq, text }) => [idOf(seq), text]);
      return (await client.eval(APPEND, 1, key, newest === null ? '' : idOf(newest), ...entries)) === 1;
    },
    forgetBefore: async (seq) => void (await client.xtrim(key, 'MINID', idOf(seq))),
  };
}

function idOf(seq: number): string {
  return `0-${seq}`;
}

function seqOf(id: string): number {
  return Number(id.split('-')[1]);
}
