import { open, unlink } from 'node:fs/promises';
import { join } from 'node:path';

import type { Client } from '../client.ts';
import { type Account, ACCOUNT_FILE } from '../settings.ts';
import { UsageError } from './exit-codes.ts';

/**
 * Registers an agent, and stores its account in a file that only its owner may read. The file is created first: a key is shown
 * once, and must not be lost.
 */
export async function register(
  agent: Parameters<Client['register']>[0],
  { client, signal }: { readonly client: Client; readonly signal: AbortSignal },
  folder = '.',
): Promise<Account> {
  const path = join(folder, ACCOUNT_FILE);
  const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
    if (Object(error).code !== 'EEXIST') throw error;
    throw new UsageError(`${path} already has an agent: move the file away, or register in another folder.`);
  });
  try {
    const { agent: registered, api_key: key } = await client.register(agent, { signal });
    const account = { url: client.url, agent: registered.name, key };
    await file.writeFile(`${JSON.stringify(account, null, 2)}\n`);
    return account;
  } catch (error) {
    await unlink(path);
    throw error;
  } finally {
    await file.close();
  }
}
