import type { Redis } from 'ioredis';

import type { EventStream, LogPlace } from '../backplane.ts';

/** Appends only after the expected entry: several processes may append, and none leaves a gap. */
const APPEND = `
  local found = redis.call('XREVRANGE', KEYS[1], '+', '-', 'COUNT', 1)[1]
  if (found and found[1] or '') ~= ARGV[1] then return 0 end
  for place = 2, #ARGV, 2 do redis.call('XADD', KEYS[1], ARGV[place], 'event', ARGV[place + 1]) end
  return 1`;

/** A Redis Stream, whose ids are `<epoch>-<seq>`. */
export function redisStream(client: Redis, prefix: string): EventStream {
  const [key, headKey] = [`${prefix}:events`, `${prefix}:log`];
  return {
    head: () => client.get(headKey),
    setHead: async (text) => void (await client.set(headKey, text)),
    async newest() {
      const [found] = await client.xrevrange(key, '+', '-', 'COUNT', 1);
      return found === undefined ? null : placeOf(found[0]);
    },
    async oldest(epoch) {
      const [found] = await client.xrange(key, epoch, epoch, 'COUNT', 1);
      return found === undefined ? null : placeOf(found[0]).seq;
    },
    async after(place, limit) {
      const found = await client.xrange(key, `(${idOf(place)}`, place.epoch, 'COUNT', limit);
      return found.map(([id, [, text = '']]) => ({ seq: placeOf(id).seq, text }));
    },
    async append(newest, epoch, events) {
      const entries = events.flatMap(({ seq, text }) => [idOf({ epoch, seq }), text]);
      return (await client.eval(APPEND, 1, key, newest === null ? '' : idOf(newest), ...entries)) === 1;
    },
    forgetBefore: async (place) => void (await client.xtrim(key, 'MINID', idOf(place))),
  };
}

function idOf({ epoch, seq }: LogPlace): string {
  return `${epoch}-${seq}`;
}

function placeOf(id: string): LogPlace {
  const [epoch = 0, seq = 0] = id.split('-').map(Number);
  return { epoch, seq };
}
