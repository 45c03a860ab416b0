/** Real milliseconds since the page began, which nobody can set: the one place where the browser's clock is read. */
export function steadyMs(): number {
  return performance.now();
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
