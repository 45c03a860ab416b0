import { expect } from '@jest/globals';

/** Matches the checkpoint that one service key signed. */
export const CHECKPOINT: unknown = expect.stringMatching(
  /^hourcast\.log\/[\da-f]{16}\n\d+\n[A-Za-z\d+/]{43}=\nepoch \d+\n\n\u2014 hourcast\.log\/[\da-f]{16} [A-Za-z\d+/]{91}=\n$/,
);
