/** Fetches the code of a part. */
type Load<Code> = () => Promise<Code>;

/** The code of the parts that come later than the first: what was fetched once is at hand. */
export interface CodeShelf {
  /** Null until it is fetched. */
  atHand<Code>(load: Load<Code>): Code | null;
  fetch<Code>(load: Load<Code>): Promise<Code>;
  /** Fetches what was asked for and not at hand; false where there was nothing to fetch. */
  fetchMissed(): Promise<boolean>;
}

export function codeShelf(): CodeShelf {
  const found = new Map<unknown, unknown>();
  const missed = new Set<Load<unknown>>();
  /** A part's code is kept under what fetches it, and so is of the type that goes with that. */
  function atHand<Code>(load: Load<Code>): Code | null;
  function atHand(load: Load<unknown>): unknown {
    if (!found.has(load)) missed.add(load);
    return found.get(load) ?? null;
  }
  const fetch = async <Code>(load: Load<Code>): Promise<Code> => {
    const code = await load();
    found.set(load, code);
    missed.delete(load);
    return code;
  };
  return {
    atHand,
    fetch,
    async fetchMissed() {
      const all = [...missed];
      await Promise.all(all.map(fetch));
      return all.length > 0;
    },
  };
}
