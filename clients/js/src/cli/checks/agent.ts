import type { Client } from '../../client.ts';
import type { Budget } from '../../connection.ts';
import { HourcastError } from '../../errors.ts';
import type { CurrentRound, OwnProfile } from '../../reference.ts';
import type { Check } from './check.ts';

interface AgentChecks {
  readonly checks: readonly Check[];
  /** Null without a valid key. */
  readonly profile: OwnProfile | null;
}

/** Checks the key and its agent's mode. */
export async function checkAgent(
  client: Client,
  { hasKey, signal }: { readonly hasKey: boolean; readonly signal: AbortSignal },
): Promise<AgentChecks> {
  if (!hasKey) {
    const detail = 'missing: set HOURCAST_KEY, or run "register" in this folder';
    return { profile: null, checks: [{ name: 'key', state: 'failed', detail }] };
  }
  try {
    const profile = await client.me({ signal });
    const { id, name, mode } = profile.agent;
    const isCompetitor = mode === 'compete';
    return {
      profile,
      checks: [
        { name: 'key', state: 'ok', detail: `belongs to ${name}, agent ${id}` },
        {
          name: 'mode',
          state: isCompetitor ? 'ok' : 'warning',
          detail: isCompetitor ? mode : `${mode}: "activate" makes it a competitor`,
        },
      ],
    };
  } catch (error) {
    if (!(error instanceof HourcastError)) throw error;
    // Other refusals need not be the key's fault.
    const name = error.status === 401 ? 'key' : 'mode';
    return { profile: null, checks: [{ name, state: 'failed', detail: error.message }] };
  }
}

export function checkRound(
  { round, time_remaining_seconds: seconds }: CurrentRound,
  profile: OwnProfile | null,
): Check {
  if (round === null) return { name: 'round', state: 'warning', detail: 'none is running' };
  const left = `${Math.ceil(seconds / 60)} min of the service's time are left`;
  const own = profile?.recent_predictions.find(({ round_id: id }) => id === round.id);
  if (own !== undefined) {
    return { name: 'round', state: 'ok', detail: `${round.id} is answered: ${own.prediction}, ${own.confidence} %` };
  }
  return { name: 'round', state: 'warning', detail: `${round.id} is not answered; ${left}` };
}

/** A warning at this remaining share. */
const SCARCE = 0.1;

export function checkBudgets(budgets: ReadonlyMap<string, Budget>): Check {
  const [scarcest] = [...budgets].toSorted(([, one], [, other]) => shareOf(one) - shareOf(other));
  if (scarcest === undefined) return { name: 'budgets', state: 'ok', detail: 'no limit is counted' };
  const [endpoint, budget] = scarcest;
  const line = `${endpoint} has ${budget.remaining} of ${budget.limit} requests left for ${budget.resetSeconds} s`;
  return { name: 'budgets', state: shareOf(budget) <= SCARCE ? 'warning' : 'ok', detail: `the scarcest: ${line}` };
}

const shareOf = ({ limit, remaining }: Budget): number => remaining / limit;
