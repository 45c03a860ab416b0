import { useEffect, useState } from 'preact/hooks';

import { HourPrices, type HourPricesQuery } from '../documents/hour.ts';
import type { PricesFragment } from '../documents/now.ts';
import { useAnswer } from './answers.ts';
import type { SeenPrice } from './hour-prices.ts';
import { chance } from './machine.ts';
import { useSession } from './session.ts';

/** The reference has a point at each minute of the service's clock; of a fast clock it is asked for less often. */
const POINT_MS = 60_000;
const SOONEST_MS = 1_500;
/** Those who look at the same hour ask for the same point at different moments within so much. */
const SPREAD_MS = 1_000;

/** What the price alone and the crowd say of a round through its hour, asked again as long as it goes on. */
export function useHourPrices(round: { readonly id: number; readonly status: string }) {
  const { clock } = useSession();
  const { data, refresh } = useAnswer(HourPrices, { round: round.id });
  const isOn = round.status === 'active' || round.status === 'resolving';
  useEffect(() => {
    if (!isOn) return undefined;
    let timer: ReturnType<typeof setTimeout>;
    const wait = (): void => {
      const toPoint = (POINT_MS - (clock.now() % POINT_MS)) / clock.speed();
      timer = setTimeout(ask, Math.max(SOONEST_MS, toPoint + SPREAD_MS * chance()));
    };
    const ask = (): void => {
      if (!document.hidden) refresh();
      wait();
    };
    wait();
    return () => clearTimeout(timer);
  }, [isOn, round.id]);
  return data?.round ?? NOTHING;
}

const NOTHING: NonNullable<HourPricesQuery['round']> = { reference: [], crowdHistory: null };

/** The prices that came by themselves since the round was shown. */
export function useSeenPrices(roundId: number, market: PricesFragment | null): readonly SeenPrice[] {
  const [seen, setSeen] = useState<readonly SeenPrice[]>([]);
  useEffect(() => setSeen([]), [roundId]);
  useEffect(() => {
    if (market === null) return;
    const { timestamp: at } = market;
    const news = market.assets.map(({ symbol, priceUsd }) => ({ at, symbol, priceUsd }));
    // The reference has caught up with older ones long since.
    setSeen((before) => [...before, ...news].slice(-MOST_SEEN));
  }, [market]);
  return seen;
}

const MOST_SEEN = 8 * 60;
