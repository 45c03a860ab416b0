type Load<Code> = () => Promise<Code>;

/** A cache of code that is loaded after the first paint. */
export interface CodeShelf {
  /** Null until it is fetched. */
  atHand<Code>(load: Load<Code>): Code | null;
  fetch<Code>(load: Load<Code>): Promise<Code>;
  /** Fetches requested code that is not cached; false if there was none. */
  fetchMissed(): Promise<boolean>;
}

export function codeShelf(): CodeShelf {
  const found = new Map<unknown, unknown>();
  const missed = new Set<Load<unknown>>();
  /** The loader is the cache key, and determines the type. */
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
