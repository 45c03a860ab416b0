/** Real milliseconds since the page began, which nobody can set: the one place where the browser's clock is read. */
export function steadyMs(): number {
  return performance.now();
}

/** What this browser keeps for the page under a name; null where there is nothing, or it may keep nothing. */
export function kept(name: string): string | null {
  try {
    return localStorage.getItem(name);
  } catch {
    return null;
  }
}

/** Keeps a text for the page's next visit, where the browser lets it. */
export function keep(name: string, text: string): void {
  try {
    localStorage.setItem(name, text);
  } catch {
    // The page does without.
  }
}

/** By chance from 0 to 1. */
export function chance(): number {
  return (crypto.getRandomValues(new Uint32Array(1))[0] ?? 0) / 2 ** 32;
}

/** A key of its own for a request that may be sent twice. */
export function newRequestKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
