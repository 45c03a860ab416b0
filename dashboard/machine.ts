/** The only place that reads the browser's clock: real milliseconds since the page began, which nobody can set. */
export function steadyMs(): number {
  return performance.now();
}

/** The name of the agents that this browser follows. */
export const FOLLOWED = 'followed';

/** Null if there is nothing, or storage is blocked. */
export function kept(name: string): string | null {
  return attempt(() => localStorage.getItem(name));
}

export function keep(name: string, text: string): void {
  attempt(() => localStorage.setItem(name, text));
}

/** Null if storage is blocked: the page works without it. */
export function attempt<Value>(act: () => Value): Value | null {
  try {
    return act();
  } catch {
    return null;
  }
}

/** Random, from 0 to 1. */
export function chance(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;
}
