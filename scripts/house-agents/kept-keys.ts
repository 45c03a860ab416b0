import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { z } from 'zod';

import { type Arena, Refused } from './arena.ts';

const KEYS = z.record(z.string(), z.string());

/** Keys by name in a file for its owner alone, so that the same agents go on after a restart. */
export interface KeptKeys {
  /**
   * The key that is kept for `name`, where the service still knows it, else that of a new agent, whose name has a number
   * where it is taken.
   */
  keyOf(name: string): Promise<string>;
}

export function keptKeys(file: string, arena: Pick<Arena, 'knows' | 'register'>): KeptKeys {
  const keys = new Map(Object.entries(readKeys(file)));
  return {
    async keyOf(name) {
      const kept = keys.get(name);
      if (kept !== undefined && (await arena.knows(kept))) return kept;
      const key = await registered(name, arena);
      keys.set(name, key);
      mkdirSync(dirname(file), { recursive: true });
      writeFileSync(file, `${JSON.stringify(Object.fromEntries(keys), null, 2)}\n`, { mode: 0o600 });
      return key;
    },
  };
}

function readKeys(file: string): Readonly<Record<string, string>> {
  try {
    return KEYS.parse(JSON.parse(readFileSync(file, 'utf8')));
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return {};
    throw error;
  }
}

async function registered(name: string, { register }: Pick<Arena, 'register'>): Promise<string> {
  for (let number = 1; ; number += 1) {
    try {
      return await register(number === 1 ? name : `${name}-${number}`);
    } catch (error) {
      if (!(error instanceof Refused && error.status === 409)) throw error;
    }
  }
}
