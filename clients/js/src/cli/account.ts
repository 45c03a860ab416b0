import { readFileSync } from 'node:fs';
import { open, unlink } from 'node:fs/promises';

import { UsageError } from './exit-codes.ts';

/** An agent of a service, as `register` keeps it in the folder that it is called in. */
export interface Account {
  readonly url: string;
  readonly agent: string;
  readonly key: string;
}

export const ACCOUNT_FILE = 'hourcast.json';

/** The account of this folder; null without one. */
export function keptAccount(): Account | null {
  try {
    const { url, agent, key } = JSON.parse(readFileSync(ACCOUNT_FILE, 'utf8'));
    return { url: String(url), agent: String(agent), key: String(key) };
  } catch (error) {
    if (Object(error).code === 'ENOENT') return null;
    throw new UsageError(`${ACCOUNT_FILE} must be what "register" wrote: ${String(error)}.`);
  }
}

/**
 * Keeps the account that `register` returns in a file which its owner alone may read. The file is made first: a key is shown
 * once, and must not be lost.
 */
export async function keepAccount(register: () => Promise<Account>): Promise<Account> {
  const file = await open(ACCOUNT_FILE, 'wx', 0o600).catch((error: unknown) => {
    if (Object(error).code !== 'EEXIST') throw error;
    throw new UsageError(`${ACCOUNT_FILE} keeps an agent already: move it away, or register in another folder.`);
  });
  try {
    const account = await register();
    await file.writeFile(`${JSON.stringify(account, null, 2)}\n`);
    return account;
  } catch (error) {
    await unlink(ACCOUNT_FILE);
    throw error;
  } finally {
    await file.close();
  }
}
