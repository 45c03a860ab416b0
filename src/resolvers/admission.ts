import { type Allowance, type Limiter, tighter } from '../backplane/backplane.ts';
import { budgetSpent, LIMITS, type LimitName, OWN_ORIGIN_ONLY } from '../limits.ts';
import { addressBudget, isLoopback } from '../rules/address-key.ts';
import { DomainError, quoted } from '../rules/errors.ts';
import { type KeyHolder, type KeyProblem, keyProblemOf, type KnownKeys } from './keys.ts';

export interface Caller {
  readonly ip: string;
  readonly foreignOrigin: string | undefined;
  readonly authorization: string | undefined;
  readonly isDirect?: () => boolean;
  readonly overSocket?: boolean;
}

interface Requester {
  readonly caller: Caller;
  readonly keyHash: string | null;
  viewer(): Promise<KeyHolder | null>;
  allowance: Allowance | null;
  /** Uses already counted, in order. */
  readonly prepaid: PrepaidUse[];
  readonly services: { readonly limiter: Limiter; readonly knownKeys: KnownKeys };
}

export interface PrepaidUse {
  readonly limit: LimitName;
  readonly counted: Allowance | null;
}

export interface CountedUse {
  readonly limit: LimitName;
  readonly endpoint: string | undefined;
  /** Default: 1. */
  readonly uses?: number | undefined;
}

/** A submission's key is looked up by the statement that writes it. */
const SELF_CHECKED: LimitName = 'predictions';

/** True if `admit` would do nothing: limits are off, and no key or origin matters. */
export function isFree({ services, caller }: Pick<Requester, 'services' | 'caller'>, limit: LimitName): boolean {
  return services.limiter.countsNothing === true && LIMITS[limit].scope === 'ip' && caller.foreignOrigin === undefined;
}

/**
 * Counts a use; throws `FORBIDDEN`, `UNAUTHENTICATED` or `RATE_LIMITED`. A submission counts for the agent its key last
 * belonged to, since the writing statement looks the key up. So a key replaced at another process may spend its agent's
 * budget once.
 */
export async function admit(requester: Requester, use: CountedUse): Promise<void> {
  refuseForeign(requester.caller, use.limit);
  if (LIMITS[use.limit].scope === 'ip') await count(requester, use, () => addressBudget(requester.caller.ip));
  else if (use.limit === SELF_CHECKED && requester.keyHash !== null)
    await countSubmission(requester, use, requester.keyHash);
  else {
    const { id } = await agentAsking(requester, use);
    await count(requester, use, () => `agent:${id}`);
  }
}

/** Throws `UNAUTHENTICATED` for an unknown key of an agent's budget. It runs before other errors are reported. */
export async function authenticate(requester: Requester, use: CountedUse): Promise<void> {
  if (LIMITS[use.limit].scope === 'agent') await agentAsking(requester, use, null);
}

/** Counts uses against the address's budgets before `admit`, in the same order; `admit` then uses these counts. False if one is refused. */
export async function prepay(requester: Requester, uses: readonly CountedUse[]): Promise<boolean> {
  const { limiter } = requester.services;
  if (limiter.countsNothing === true) return true;
  for (const { limit } of uses) {
    const counted = await limiter.count(limit, addressBudget(requester.caller.ip));
    requester.prepaid.push({ limit, counted });
    requester.allowance = tighter(requester.allowance, counted);
    if (counted !== null && counted.retryAfterSeconds !== null) return false;
  }
  return true;
}

async function count(requester: Requester, { limit, endpoint, uses }: CountedUse, keyOf: () => string): Promise<void> {
  const { limiter } = requester.services;
  if (limiter.countsNothing === true) return;
  const [next] = requester.prepaid;
  const isPrepaid = next?.limit === limit;
  if (isPrepaid) requester.prepaid.shift();
  const counted = isPrepaid ? next.counted : await limiter.count(limit, keyOf(), uses);
  requester.allowance = tighter(requester.allowance, counted);
  if (counted === null || counted.retryAfterSeconds === null) return;
  const advice = limit === 'register' ? adviceOnRegistering(requester.caller) : '';
  throw budgetSpent(limit, { endpoint: endpoint ?? limit, retryAfter: counted.retryAfterSeconds, advice });
}

/** A failed authentication counts against the same endpoint's limit, by address (decisions: keys, limits). */
async function agentAsking(
  requester: Requester,
  use: CountedUse,
  otherBudgets = requester.allowance,
): Promise<KeyHolder> {
  const agent = await requester.viewer();
  if (agent !== null) return agent;
  requester.allowance = otherBudgets;
  await count(requester, use, () => addressBudget(requester.caller.ip));
  throw unauthenticated(requester.caller);
}

async function countSubmission(requester: Requester, use: CountedUse, keyHash: string): Promise<void> {
  const { limiter, knownKeys } = requester.services;
  if (limiter.countsNothing === true && !knownKeys.isInvalid(keyHash)) return;
  const agentId = knownKeys.agentOf(keyHash) ?? (await agentAsking(requester, use)).id;
  try {
    await count(requester, use, () => `agent:${agentId}`);
  } catch (spent) {
    await agentAsking(requester, use, null);
    throw spent;
  }
}

/** Runs before counting: a page must not spend its visitors' budgets. Submissions need a key anyway. */
function refuseForeign({ foreignOrigin }: Caller, limit: LimitName): void {
  if (foreignOrigin === undefined || !OWN_ORIGIN_ONLY.has(limit)) return;
  throw new DomainError(
    'foreign_origin',
    `Pages of the origin ${quoted(foreignOrigin)} may only read and predict here; the operator of this service can add the origin to CORS_ORIGINS.`,
  );
}

/** Only an operator can follow the advice, and a local proxy hides strangers behind a loopback address. */
function adviceOnRegistering({ ip, isDirect }: Caller): string {
  const advice = ' Refused registrations count too.';
  return isDirect?.() && isLoopback(ip) ? `${advice} For trials, start the service with RATE_LIMITS=off.` : advice;
}

const GIVEN: Readonly<Record<KeyProblem, string>> = {
  missing_key: 'no key',
  key_without_bearer: 'a key without "Bearer " before it',
  malformed_key: 'a malformed key',
  invalid_key: 'a key that belongs to no agent',
};

const HOW_TO_REGISTER = ' POST /api/agents/register with {"name": "..."} gives one, shown once.';

export function unauthenticated({ overSocket, authorization }: Caller): DomainError {
  const place = overSocket
    ? 'connect again with the payload {"authorization": "Bearer pk_live_..."} in connection_init,'
    : 'send the header "Authorization: Bearer pk_live_..."';
  const problem = keyProblemOf(authorization);
  return new DomainError(
    problem,
    `This needs a valid API key: ${place} with the key that registration gave (got ${GIVEN[problem]}).${problem === 'missing_key' ? HOW_TO_REGISTER : ''}`,
  );
}
