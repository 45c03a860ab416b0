import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

import { z } from 'zod';

import { type Arena, isRefused } from './arena.ts';

const KEYS = z.record(z.string(), z.string());

/** Keys by name in a file for its owner alone, so that agents continue after a restart. */
export function keptKeys(file: string, arena: Arena) {
  const keys = new Map(Object.entries(readKeys(file)));
  return {
    /** The stored key if it is still valid, else that of a new agent, whose name gets a number if it is taken. */
    async keyOf(name: string): Promise<string> {
      const kept = keys.get(name);
      if (kept !== undefined && (await isKnown(kept, arena))) return kept;
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

async function isKnown(key: string, { as, signal }: Arena): Promise<boolean> {
  try {
    await as(key).me({ signal });
    return true;
  } catch (error) {
    if (isRefused(error, [401])) return false;
    throw error;
  }
}

async function registered(name: string, { client, signal }: Arena): Promise<string> {
  for (let number = 1; ; number += 1) {
    try {
      const { api_key: key } = await client.register({ name: number === 1 ? name : `${name}-${number}` }, { signal });
      return key;
    } catch (error) {
      if (!isRefused(error, [409])) throw error;
    }
  }
}
