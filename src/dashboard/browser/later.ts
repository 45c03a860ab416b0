import { useEffect, useState } from 'preact/hooks';

/**
 * Code that comes after the first sight; null until it is there. Without it the page still says all else, and the next
 * visit tries again. `load` is the same function each time.
 */
export function useLater<Code>(load: () => Promise<Code>): Code | null {
  const [code, setCode] = useState<{ readonly loaded: Code } | null>(null);
  useEffect(() => {
    load().then(
      (loaded) => setCode({ loaded }),
      () => {},
    );
  }, [load]);
  return code?.loaded ?? null;
}
