/**
 * Runs `source` to its first item, so that what is wrong with it is thrown here. Stopping the result stops the source,
 * also before anything was taken from it.
 */
export async function begun<Item>(source: AsyncGenerator<Item>): Promise<AsyncIterableIterator<Item>> {
  let first: IteratorResult<Item> | null = await source.next();
  const rest: AsyncIterableIterator<Item> = {
    [Symbol.asyncIterator]() {
      return this;
    },
    async next() {
      const item = first ?? (await source.next());
      first = null;
      return item;
    },
    async return() {
      await source.return(undefined);
      return { done: true, value: undefined };
    },
  };
  return rest;
}
