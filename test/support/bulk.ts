/** 60 kB of JSON, which takes 20 times as much once parsed. */
export const BULK: readonly object[] = Array.from({ length: 20_000 }, () => ({}));
