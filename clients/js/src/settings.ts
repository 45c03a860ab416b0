import { HourcastError } from './errors.ts';

/** An agent's account, as `register` stores it in the current folder. */
export interface Account {
  readonly url: string;
  readonly agent: string;
  readonly key: string;
}

/** The service's address, and the agent's key. */
export interface Settings {
  readonly url: string;
  readonly key: string | undefined;
}

export const ACCOUNT_FILE = 'hourcast.json';

const LOCAL = 'http://127.0.0.1:3000';
const ADDRESS = /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/i;
const KEY = /^pk_live_[0-9a-f]{48}$/;

/**
 * Defaults come from the environment, then from the folder's account, whose key is for its own service alone. Throws for an
 * invalid address or key; a key is never shown.
 */
export function settingsOf(given: { readonly url?: string | undefined; readonly key?: string | undefined }): Settings {
  const { HOURCAST_URL, HOURCAST_KEY } = globalThis.process?.env ?? {};
  const hasKey = given.key !== undefined || Boolean(HOURCAST_KEY);
  const givenUrl = given.url ?? (HOURCAST_URL || undefined);
  const account = hasKey && givenUrl !== undefined ? null : keptAccount();
  const url = addressIn(givenUrl ?? account?.url ?? LOCAL);
  if (given.key !== undefined) return { url, key: keyIn(given.key, '') };
  if (HOURCAST_KEY) return { url, key: keyIn(HOURCAST_KEY, ' in HOURCAST_KEY') };
  const isOwn = account !== null && addressIn(account.url) === url;
  return { url, key: isOwn ? keyIn(account.key, ` in ${ACCOUNT_FILE}`) : undefined };
}

/** The folder's account; null without one, and in browsers. */
function keptAccount(): Account | null {
  try {
    const text = globalThis.process?.getBuiltinModule?.('node:fs').readFileSync(ACCOUNT_FILE, 'utf8');
    if (text === undefined) return null;
    const { url, agent, key } = JSON.parse(text);
    if ([url, agent, key].every((one) => typeof one === 'string')) return { url, agent, key };
  } catch (error) {
    if (Object(error).code === 'ENOENT') return null;
  }
  const message = `${ACCOUNT_FILE} must hold url, agent and key, as "register" writes them.`;
  throw new HourcastError(message, { code: 'malformed_settings' });
}

/** Without trailing slashes. In a page it may be relative. */
function addressIn(text: string): string {
  const url = text.replace(/\/+$/, '');
  if ('location' in globalThis || (ADDRESS.test(url) && URL.canParse(url))) return url;
  const message = `The address must be one such as ${LOCAL} (got ${text}).`;
  throw new HourcastError(message, { code: 'malformed_settings' });
}

function keyIn(text: string, place: string): string | undefined {
  if (text === '' || KEY.test(text)) return text || undefined;
  const message = `The key must be pk_live_ and 48 hexadecimal digits (got ${text.length} characters${place}).`;
  throw new HourcastError(message, { code: 'malformed_key' });
}
