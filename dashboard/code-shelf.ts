type Load<Code> = () => Promise<Code>;

export type CodeShelf = ReturnType<typeof codeShelf>;

/** A cache of code that is loaded after the first paint. Calls back for requested code that is not cached. */
export function codeShelf(missing?: (load: Load<unknown>) => void) {
  const found = new Map<unknown, unknown>();
  /** Null until it is fetched. The loader is the cache key, and determines the type. */
  function atHand<Code>(load: Load<Code>): Code | null;
  function atHand(load: Load<unknown>): unknown {
    if (!found.has(load)) missing?.(load);
    return found.get(load) ?? null;
  }
  const fetch = async <Code>(load: Load<Code>): Promise<Code> => {
    const code = await load();
    found.set(load, code);
    return code;
  };
  return { atHand, fetch };
}
