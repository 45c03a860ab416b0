/** 60 kB of JSON, which parsed takes 20 times as much. */
export const BULK: readonly object[] = Array.from({ length: 20_000 }, () => ({}));
