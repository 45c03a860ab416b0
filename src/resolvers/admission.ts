import { type Allowance, type Limiter, tighter } from '../backplane/backplane.ts';
import { LIMITS, type LimitName } from '../limits.ts';
import { addressKey } from '../rules/address-key.ts';
import { DomainError } from '../rules/errors.ts';
import { HOUR, MINUTE, SECOND } from '../rules/hours.ts';
import { type KeyHolder, type KeyProblem, keyProblemOf, type KnownKeys } from './keys.ts';

/** The request whose uses are counted. */
interface Asker {
  readonly ip: string;
  /** Whether no proxy says that it stands between. */
  readonly isDirect: boolean;
  readonly overSocket: boolean;
  readonly keyHash: string | null;
  readonly authorization: string | undefined;
  viewer(): Promise<KeyHolder | null>;
  allowance: Allowance | null;
}

/** What counts them. */
interface Counting {
  readonly limiter: Limiter;
  readonly knownKeys: KnownKeys;
}

/** One use of a budget, as the caller knows it. */
export interface Use {
  readonly limit: LimitName;
  readonly asked: string | undefined;
  /** Once where it is unset. */
  readonly uses?: number | undefined;
}

export interface Admission {
  /** Counts a use; throws `UNAUTHENTICATED` or `RATE_LIMITED`. */
  admit(use: Use): Promise<void>;
  /**
   * Counts uses of the address's budgets ahead of those who will `admit` them in this order, until one is refused: whether none
   * is. `admit` then takes what was counted here.
   */
  prepay(uses: readonly Use[]): Promise<boolean>;
  /** Throws what `admit` would have thrown had it looked up the key that it let through. */
  confirm(): Promise<void>;
}

/** The limit of what looks its key up by itself, in the statement that writes. */
const LOOKS_UP_ITSELF: LimitName = 'predictions';

/**
 * Admission to what a request asks for. A submission with a key that was found to hold before, or where nothing is counted
 * one that was not found to be nobody's, is let through without a lookup; whatever refuses it confirms the key first, so
 * that callers see the same order of checks. A key that was replaced at another process may spend its agent's budget that
 * way once.
 */
export function admission(asker: Asker, counting: Counting): Admission {
  const desk: Desk = { asker, counting, prepaid: [] };
  let unconfirmed: { readonly use: Use; readonly before: Allowance | null } | null = null;
  return {
    async admit(use) {
      const before = asker.allowance;
      const isByAddress = LIMITS[use.limit].scope === 'ip';
      if (isByAddress && counting.limiter.countsNothing === true) return;
      if (isByAddress) await count(desk, use, `ip:${addressKey(asker.ip)}`);
      else if (isLeftUncounted(desk, use) || (await isTrusted(desk, use))) unconfirmed = { use, before };
      else await countAgent(desk, use);
    },
    async prepay(uses) {
      if (counting.limiter.countsNothing === true) return true;
      for (const { limit } of uses) {
        const counted = await counting.limiter.count(limit, `ip:${addressKey(asker.ip)}`);
        desk.prepaid.push(counted);
        asker.allowance = tighter(asker.allowance, counted);
        if (counted !== null && counted.retryAfterSeconds !== null) return false;
      }
      return true;
    },
    async confirm() {
      if (unconfirmed === null) return;
      const { use, before } = unconfirmed;
      unconfirmed = null;
      if ((await asker.viewer()) !== null) return;
      asker.allowance = before;
      await refuse(desk, use);
    },
  };
}

/** Who asks, and what counts. */
interface Desk {
  readonly asker: Asker;
  readonly counting: Counting;
  /** What was counted ahead, in its order. */
  readonly prepaid: (Allowance | null)[];
}

async function count({ asker, counting, prepaid }: Desk, { limit, asked, uses }: Use, key: string): Promise<void> {
  const counted = prepaid.length > 0 ? (prepaid.shift() ?? null) : await counting.limiter.count(limit, key, uses);
  asker.allowance = tighter(asker.allowance, counted);
  if (counted !== null && counted.retryAfterSeconds !== null)
    throw overBudget(asker, { limit, asked }, counted.retryAfterSeconds);
}

/** A failed authentication counts against the same endpoint's limit, by address (decisions: keys, limits). */
async function refuse(desk: Desk, use: Use): Promise<never> {
  await count(desk, use, `ip:${addressKey(desk.asker.ip)}`);
  throw unauthenticated(desk.asker);
}

async function countAgent(desk: Desk, use: Use): Promise<void> {
  const agent = await desk.asker.viewer();
  if (agent === null) await refuse(desk, use);
  else await count(desk, use, `agent:${agent.id}`);
}

/** Whether nothing is counted, and the key may be left to the statement. */
function isLeftUncounted({ asker, counting }: Desk, { limit }: Use): boolean {
  const { keyHash } = asker;
  if (counting.limiter.countsNothing !== true || limit !== LOOKS_UP_ITSELF || keyHash === null) return false;
  return !counting.knownKeys.wasNobodys(keyHash);
}

/** Whether the key may be left to the statement; a spent budget is counted again and refused by who looks it up. */
async function isTrusted({ asker, counting }: Desk, { limit }: Use): Promise<boolean> {
  if (limit !== LOOKS_UP_ITSELF || asker.keyHash === null) return false;
  const agentId = counting.knownKeys.agentOf(asker.keyHash);
  if (agentId === undefined) return false;
  const counted = await counting.limiter.count(limit, `agent:${agentId}`);
  if (counted !== null && counted.retryAfterSeconds !== null) return false;
  asker.allowance = tighter(asker.allowance, counted);
  return true;
}

function overBudget(
  asker: Pick<Asker, 'ip' | 'isDirect'>,
  { limit: name, asked }: Use,
  retryAfter: number,
): DomainError {
  const { requests, windowMs } = LIMITS[name];
  const endpoint = asked ?? name;
  const window = windowMs === MINUTE ? 'minute' : windowMs === HOUR ? 'hour' : `${windowMs / MINUTE} minutes`;
  const message = `Rate limit for ${endpoint} reached: ${requests} per ${window}. Retry in ${retryAfter} s.`;
  return new DomainError('rate_limited', name === 'register' ? message + adviceOnRegistering(asker) : message, {
    retryAfter,
    budget: { endpoint, limit: requests, windowSeconds: windowMs / SECOND },
  });
}

/** Strangers cannot follow what is for the operator, and a proxy on the same machine stands for strangers. */
function adviceOnRegistering({ ip, isDirect }: Pick<Asker, 'ip' | 'isDirect'>): string {
  const advice = ' Refused registrations count too.';
  return isDirect && isLoopback(ip) ? `${advice} For trials, start the service with RATE_LIMITS=off.` : advice;
}

function isLoopback(ip: string): boolean {
  return /^(?:::ffff:)?127\.|^::1$/.test(ip);
}

const GIVEN: Readonly<Record<KeyProblem, string>> = {
  missing_key: 'no key',
  key_without_bearer: 'a key without "Bearer " before it',
  malformed_key: 'something that is no key',
  invalid_key: 'a key that nobody holds',
};

/** The refusal of a request without a valid key: what is needed, and what came instead. */
export function unauthenticated({
  overSocket,
  authorization,
}: Pick<Asker, 'overSocket' | 'authorization'>): DomainError {
  const place = overSocket
    ? 'connect again with the payload {"authorization": "Bearer pk_live_..."} in connection_init,'
    : 'send the header "Authorization: Bearer pk_live_..."';
  const problem = keyProblemOf(authorization);
  return new DomainError(
    problem,
    `This needs a valid API key: ${place} with the key that registration gave (got ${GIVEN[problem]}).`,
  );
}
