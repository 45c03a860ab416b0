import DataLoader from 'dataloader';

/** A field with arguments on many parents: parents that ask with the same arguments are answered together. */
export type LoaderByArguments<Args, Value> = (args: Args) => DataLoader<number, Value>;

/** `load` answers for parents of one level and arguments, in their order: it is one statement whatever their number. */
export function loaderByArguments<Args extends object, Value>(
  load: (args: Args, parents: readonly number[]) => Promise<readonly Value[]>,
): LoaderByArguments<Args, Value> {
  const loaders = new Map<string, DataLoader<number, Value>>();
  return (args) => {
    const name = JSON.stringify(args);
    const known = loaders.get(name);
    if (known !== undefined) return known;
    const loader = new DataLoader<number, Value>((parents) => load(args, parents));
    loaders.set(name, loader);
    return loader;
  };
}
