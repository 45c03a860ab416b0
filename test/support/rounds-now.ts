import type { HourCandle, Market } from '../../src/market/market.ts';
import { MarketUnavailable } from '../../src/market/market.ts';
import type { RoundStatus } from '../../src/rules/round-states.ts';
import type { Arena } from './arena.ts';

/** Rounds as `12:00 active`, in the order of their hours; other days than the first are named. */
export async function roundsNow(arena: Arena): Promise<readonly string[]> {
  const rows = await arena.query<{ shown: string }>(
    `select case when start_time < '2026-01-02' then '' else to_char(start_time, 'MM-DD ') end
       || to_char(start_time, 'HH24:MI ') || status as shown
     from rounds order by start_time`,
  );
  return rows.map(({ shown }) => shown);
}

/** Events as `1 ROUND_STORED 12:00`, in the order of their seqs, if the round still exists. */
export async function eventsNow(arena: Arena): Promise<readonly string[]> {
  const rows = await arena.query<{ shown: string }>(
    `select e.seq || ' ' || e.kind || coalesce(to_char(r.start_time, ' HH24:MI'), ' removed') as shown
     from events e left join rounds r on r.id = e.round_id order by e.seq`,
  );
  return rows.map(({ shown }) => shown);
}

export async function roundStarting(arena: Arena, start: string): Promise<{ id: number; status: RoundStatus }> {
  const [round] = await arena.query<{ id: number; status: RoundStatus }>(
    'select id, status from rounds where start_time = $1',
    [start],
  );
  if (round === undefined) throw new Error(`No round starts at ${start}`);
  return round;
}

/** A market that fails. */
export function brokenMarket(market: Market): Market {
  return { ...market, hourCandles: async () => Promise.reject(new MarketUnavailable('Nobody answers')) };
}

/** A market without history, for tests that turn many hours. */
export function emptyMarket(market: Market): Market {
  return { ...market, hourCandles: async (): Promise<readonly HourCandle[]> => [] };
}
