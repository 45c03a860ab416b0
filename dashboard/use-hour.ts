import { useEffect, useRef, useState } from 'preact/hooks';

import {
  Entries,
  Happenings,
  Market,
  type NowQuery,
  type PricesFragment,
  PricesNow,
  RoundNow,
} from './documents/now.ts';
import { useAnswer, useLive } from './answers.ts';
import { useNow } from './parts/countdown.tsx';
import { begunAt, type HourNow, withCurrent, withEntries, withRecent, withRound } from './round-now.ts';
import { useSession } from './session.ts';

const HOUR_MS = 3_600_000;

/** Starts from the first answer and follows the live changes. */
export function useHour(answer: NowQuery): HourNow {
  const { hello, live } = useSession();
  const [hour, setHour] = useState(() =>
    withCurrent({ round: null, entries: [], recent: answer.rounds.nodes }, answer),
  );
  // A newer answer is merged like a change. It comes after the page was hidden or the service unavailable.
  useEffect(() => {
    setHour((before) => answer.rounds.nodes.reduce(withRecent, withCurrent(before, answer)));
  }, [answer]);
  useLive(RoundNow, {}, ({ roundUpdated }) => setHour((before) => withRound(before, roundUpdated)));
  useEffect(() => {
    // Advances without a new subscription, which only a new connection needs.
    const seen = { after: hello()?.lastSeq ?? null };
    return live.follow(Happenings, seen, ({ events }) => {
      seen.after = events.seq;
      const { round } = events;
      if (round) setHour((before) => withRecent(before, round));
    });
  }, [live]);
  useEntries(hour, (roundId, entries) => setHour((before) => withEntries(before, roundId, entries)));
  return begunAt(hour, useNow(HOUR_MS));
}

/** Null before every asset has had a price; undefined while that is unknown. */
export function useMarket(): PricesFragment | null | undefined {
  const [newer, setNewer] = useState<PricesFragment | null>(null);
  useLive(PricesNow, {}, ({ marketUpdated }) => setNewer(marketUpdated));
  const { data, error } = useAnswer(Market, newer === null ? {} : null);
  return newer ?? data?.market ?? (error?.reason === 'no_prices_yet' ? null : undefined);
}

/** With more entries the diagram shows the service's counts instead. */
const MOST_ENTRIES = 1_000;

/** Fetches entries from before the page was loaded, and those too many to come with the round. */
function useEntries(hour: HourNow, found: (roundId: number, entries: HourNow['entries']) => void): void {
  const { ask } = useSession();
  const { round, entries } = hour;
  const isFetching = useRef(false);
  const complete = useRef({ roundId: 0, to: 0 });
  const lacking = (round?.totalEntries ?? 0) > entries.length && entries.length < MOST_ENTRIES;
  useEffect(() => {
    if (round === null || !lacking || isFetching.current) return;
    if (complete.current.roundId !== round.id) complete.current = { roundId: round.id, to: 0 };
    isFetching.current = true;
    const fetchOn = async (): Promise<void> => {
      try {
        const answer = await ask(Entries, { round: round.id, after: complete.current.to || null });
        const page = answer.round?.entries ?? [];
        complete.current = { roundId: round.id, to: page.at(-1)?.id ?? complete.current.to };
        if (page.length > 0) found(round.id, page);
      } catch {
        // The next change of the round tries again.
      } finally {
        isFetching.current = false;
      }
    };
    void fetchOn();
  }, [round, lacking]);
}
