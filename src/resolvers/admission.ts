import { type Allowance, budgetSpent, type Limiter, tighter } from '../backplane/backplane.ts';
import { LIMITS, type LimitName, OWN_ORIGIN_ONLY } from '../limits.ts';
import { addressBudget, isLoopback } from '../rules/address-key.ts';
import { DomainError, quoted } from '../rules/errors.ts';
import { type KeyHolder, type KeyProblem, keyProblemOf, type KnownKeys } from './keys.ts';

/** The request whose uses are counted. */
interface Asker {
  readonly ip: string;
  /** The origin of the page that asks, where its browser may not create or change anything for it. */
  readonly foreignOrigin: string | undefined;
  /** Whether no proxy says that it stands between. */
  readonly isDirect: boolean;
  readonly overSocket: boolean;
  readonly keyHash: string | null;
  readonly authorization: string | undefined;
  viewer(): Promise<KeyHolder | null>;
  allowance: Allowance | null;
  /** What was counted ahead, in its order. */
  readonly prepaid: Prepaid[];
  readonly services: { readonly limiter: Limiter; readonly knownKeys: KnownKeys };
}

export interface Prepaid {
  readonly limit: LimitName;
  readonly counted: Allowance | null;
}

/** One use of a budget, as the caller knows it. */
export interface Use {
  readonly limit: LimitName;
  readonly asked: string | undefined;
  /** Once where it is unset. */
  readonly uses?: number | undefined;
}

/** The limit of what looks its key up by itself, in the statement that writes. */
const LOOKS_UP_ITSELF: LimitName = 'predictions';

/**
 * Counts a use; throws `FORBIDDEN`, `UNAUTHENTICATED` or `RATE_LIMITED`. The key of a submission is looked up by the statement that
 * writes it: here it counts for the agent whose it was last found to be, or for nobody where nothing is counted. So a key that was
 * replaced at another process may spend its agent's budget once.
 */
export async function admit(asker: Asker, use: Use): Promise<void> {
  refuseForeign(asker, use.limit);
  if (LIMITS[use.limit].scope === 'ip') await count(asker, use, () => addressBudget(asker.ip));
  else if (use.limit === LOOKS_UP_ITSELF && asker.keyHash !== null) await countSubmission(asker, use, asker.keyHash);
  else {
    const { id } = await agentAsking(asker, use);
    await count(asker, use, () => `agent:${id}`);
  }
}

/**
 * Throws `UNAUTHENTICATED` where the budget is an agent's and nobody holds the key: that is told before anything else that
 * is wrong with a request.
 */
export async function authenticate(asker: Asker, use: Use): Promise<void> {
  if (LIMITS[use.limit].scope === 'agent') await agentAsking(asker, use, null);
}

/**
 * Counts uses of the address's budgets ahead of those who will `admit` them in this order, until one is refused: whether none
 * is. `admit` then takes what was counted here.
 */
export async function prepay(asker: Asker, uses: readonly Use[]): Promise<boolean> {
  const { limiter } = asker.services;
  if (limiter.countsNothing === true) return true;
  for (const { limit } of uses) {
    const counted = await limiter.count(limit, addressBudget(asker.ip));
    asker.prepaid.push({ limit, counted });
    asker.allowance = tighter(asker.allowance, counted);
    if (counted !== null && counted.retryAfterSeconds !== null) return false;
  }
  return true;
}

async function count(asker: Asker, { limit, asked, uses }: Use, keyOf: () => string): Promise<void> {
  const { limiter } = asker.services;
  if (limiter.countsNothing === true) return;
  const [next] = asker.prepaid;
  const isPrepaid = next?.limit === limit;
  if (isPrepaid) asker.prepaid.shift();
  const counted = isPrepaid ? next.counted : await limiter.count(limit, keyOf(), uses);
  asker.allowance = tighter(asker.allowance, counted);
  if (counted === null || counted.retryAfterSeconds === null) return;
  const advice = limit === 'register' ? adviceOnRegistering(asker) : '';
  throw budgetSpent(limit, { asked: asked ?? limit, retryAfter: counted.retryAfterSeconds, advice });
}

/** A failed authentication counts against the same endpoint's limit, by address (decisions: keys, limits). */
async function agentAsking(asker: Asker, use: Use, otherBudgets = asker.allowance): Promise<KeyHolder> {
  const agent = await asker.viewer();
  if (agent !== null) return agent;
  asker.allowance = otherBudgets;
  await count(asker, use, () => addressBudget(asker.ip));
  throw unauthenticated(asker);
}

async function countSubmission(asker: Asker, use: Use, keyHash: string): Promise<void> {
  const { limiter, knownKeys } = asker.services;
  if (limiter.countsNothing === true && !knownKeys.wasNobodys(keyHash)) return;
  const agentId = knownKeys.agentOf(keyHash) ?? (await agentAsking(asker, use)).id;
  try {
    await count(asker, use, () => `agent:${agentId}`);
  } catch (spent) {
    await agentAsking(asker, use, null);
    throw spent;
  }
}

/** Before anything is counted: a page must not spend its visitors' budgets. A submission needs a key, which suffices. */
function refuseForeign({ foreignOrigin }: Pick<Asker, 'foreignOrigin'>, limit: LimitName): void {
  if (foreignOrigin === undefined || !OWN_ORIGIN_ONLY.has(limit)) return;
  throw new DomainError(
    'foreign_origin',
    `Pages of the origin ${quoted(foreignOrigin)} may only read and predict here; its operator can list the origin in CORS_ORIGINS.`,
  );
}

/** Strangers cannot follow what is for the operator, and a proxy on the same machine stands for strangers. */
function adviceOnRegistering({ ip, isDirect }: Pick<Asker, 'ip' | 'isDirect'>): string {
  const advice = ' Refused registrations count too.';
  return isDirect && isLoopback(ip) ? `${advice} For trials, start the service with RATE_LIMITS=off.` : advice;
}

const GIVEN: Readonly<Record<KeyProblem, string>> = {
  missing_key: 'no key',
  key_without_bearer: 'a key without "Bearer " before it',
  malformed_key: 'something that is no key',
  invalid_key: 'a key that nobody holds',
};

const HOW_TO_REGISTER = ' POST /api/agents/register with {"name": "..."} gives one, shown once.';

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
    `This needs a valid API key: ${place} with the key that registration gave (got ${GIVEN[problem]}).${problem === 'missing_key' ? HOW_TO_REGISTER : ''}`,
  );
}
