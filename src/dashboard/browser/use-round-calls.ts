import { useEffect, useState } from 'preact/hooks';

import { RoundCalls, type RoundPageQuery } from '../documents/round.ts';
import { MOST_ENTRIES } from './hour-lines.ts';
import { useSession } from './session.ts';

type Round = NonNullable<RoundPageQuery['round']>;
type Calls = Round['predictions']['nodes'];

/** A round's predictions: those that came with it, then the others, page by page. */
export function useRoundCalls(round: Round): Calls {
  const { ask } = useSession();
  const [more, setMore] = useState<Calls>([]);
  useEffect(() => {
    let isOver = false;
    setMore([]);
    const fetchOn = async (known: Calls): Promise<void> => {
      const page = (await ask(RoundCalls, { id: round.id, after: known.at(-1)?.id ?? null })).round?.entries ?? [];
      if (isOver || page.length === 0) return;
      const all = [...known, ...page];
      setMore(all.slice(round.predictions.nodes.length));
      if (all.length < MOST_ENTRIES) await fetchOn(all);
    };
    // What there is stays; a later visit or change of the round tries again.
    if (round.predictions.pageInfo.hasNextPage) void fetchOn(round.predictions.nodes).catch(() => {});
    return () => void (isOver = true);
  }, [round, ask]);
  return [...round.predictions.nodes, ...more];
}
