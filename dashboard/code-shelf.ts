type Load<Code> = () => Promise<Code>;

export type CodeShelf = ReturnType<typeof codeShelf>;

/** A cache of code that is loaded after the first paint. */
export function codeShelf() {
  const found = new Map<unknown, unknown>();
  const missed = new Set<Load<unknown>>();
  /** Null until it is fetched. The loader is the cache key, and determines the type. */
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
    /** Fetches requested code that is not cached; false if there was none. */
    async fetchMissed(): Promise<boolean> {
      const all = [...missed];
      await Promise.all(all.map(fetch));
      return all.length > 0;
    },
  };
}
