/**
 * Numbers from 0 to below 1 that follow from the seed alone: mulberry32 (Tommy Ettinger), a generator with a state of 32
 * bits, of integer arithmetic only. Good enough for draws, not for secrets.
 */
export function uniforms(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
