import { asNumber } from './decimals.ts';
import { difference, differences, listDifferences } from './differences.ts';
import { bodyOf, found, listOf, numberOf, type Body } from './json.ts';
import { expectedRecentPrediction, scoredOf } from './oracle-answers.ts';
import { totalsOfAgent } from './oracle-boards.ts';
import { NEWCOMER, type Ledger } from './oracle-ledger.ts';
import { winRateOf } from './oracle-scores.ts';
import type { AgentRecord, Recording } from './recording.ts';

const RECENT = 20;
const OWN_ONLY = ['registered_at', 'rounds_competed', 'sim_pnl_7d', 'wallet_address', 'api_key', 'key_hash'];

/** Both profiles of every agent, when all rounds that are over are resolved or void. */
export function agentDifferences(recording: Recording, ledger: Ledger): string[] {
  return recording.agents.flatMap((agent) => {
    const { shown, own } = agent;
    const { win_rate, rounds_competed, sim_pnl_7d, mode, ...common } = expectedProfile(agent, recording, ledger);
    const recent = expectedRecent(agent, recording, ledger);
    const privately = { win_rate, rounds_competed, sim_pnl_7d, mode };
    const leaked = OWN_ONLY.filter((key) => key in bodyOf(shown, 'agent'));
    return [
      ...differences(`public profile of ${agent.name}`, common, bodyOf(shown, 'agent')),
      ...differences(`own profile of ${agent.name}`, { ...common, ...privately }, bodyOf(own, 'agent')),
      ...difference(`public profile of ${agent.name}: win_rate beside agent`, win_rate, shown['win_rate']),
      ...difference(`own fields on the public profile of ${agent.name}`, [], leaked),
      ...registrationFault(agent),
      ...listDifferences(`public recent_predictions of ${agent.name}`, recent, listOf(shown, 'recent_predictions')),
      ...listDifferences(`own recent_predictions of ${agent.name}`, recent, listOf(own, 'recent_predictions')),
    ];
  });
}

function registrationFault({ name, own }: AgentRecord): string[] {
  const { registered_at = null } = bodyOf(own, 'agent');
  const right = typeof registered_at === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(registered_at);
  return right ? [] : [`own profile of ${name}: registered_at is ${JSON.stringify(registered_at)}`];
}

type Profile = Record<'win_rate' | 'rounds_competed' | 'sim_pnl_7d' | 'mode', string | number> & Body;

export function expectedProfile({ id, name }: AgentRecord, recording: Recording, ledger: Ledger): Profile {
  const totals = totalsOfAgent(ledger, id, 'alltime');
  const career = ledger.resolved.at(-1)?.careers.get(id) ?? NEWCOMER;
  return {
    id,
    name,
    mode: 'compete',
    total_points: totals.points,
    total_arena_points: totals.arenaPoints,
    total_competitions: totals.competitions,
    total_wins: totals.wins,
    credential_tier: career.tier,
    current_streak: career.streak,
    best_streak: career.bestStreak,
    sim_pnl_total: asNumber(totals.pnlCents, 2),
    sim_pnl_30d: asNumber(totalsOfAgent(ledger, id, 'monthly').pnlCents, 2),
    sim_pnl_7d: asNumber(totalsOfAgent(ledger, id, 'weekly').pnlCents, 2),
    win_rate: asNumber(winRateOf(totals.wins, totals.competitions), 2),
    rounds_competed: countedRounds(id, recording),
  };
}

/** Resolved and open rounds that the agent predicted; a void one is neither. */
function countedRounds(id: number, { accepted, rounds }: Recording): number {
  const voids = new Set(
    rounds.filter(({ round }) => round['status'] === 'void').map(({ round }) => numberOf(round, 'id')),
  );
  return accepted.filter((prediction) => prediction['agent_id'] === id && !voids.has(numberOf(prediction, 'round_id')))
    .length;
}

export function expectedRecent({ id }: AgentRecord, { accepted, rounds, open }: Recording, ledger: Ledger): Body[] {
  const questions = new Map([...rounds.map(({ round }) => round), open].map((round) => [numberOf(round, 'id'), round]));
  const scored = scoredOf(ledger);
  return accepted
    .filter((prediction) => prediction['agent_id'] === id)
    .toSorted((one, other) => numberOf(other, 'id') - numberOf(one, 'id'))
    .slice(0, RECENT)
    .map((prediction) => {
      const round = found(
        questions.get(numberOf(prediction, 'round_id')),
        `the round of ${JSON.stringify(prediction)}`,
      );
      return expectedRecentPrediction(prediction, scored.get(numberOf(prediction, 'id')), round);
    });
}
