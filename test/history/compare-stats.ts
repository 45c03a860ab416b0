import { asNumber, roundedQuotient } from './decimals.ts';
import { differences } from './differences.ts';
import { numberOf, type Body } from './json.ts';
import { rankingsOf } from './oracle-boards.ts';
import { NEWCOMER, type Ledger } from './oracle-ledger.ts';
import { TIERS } from './oracle-tiers.ts';
import type { Recording } from './recording.ts';

export function statsDifferences(recording: Recording, ledger: Ledger): string[] {
  return differences('stats', expectedStats(recording, ledger), recording.stats);
}

export function expectedStats({ accepted, agents, open }: Recording, ledger: Ledger): Body {
  const names = new Map(agents.map(({ id, name }) => [id, name]));
  const top = rankingsOf(ledger, names, ledger.resolved.length, 'alltime')[0];
  const careers = ledger.resolved.at(-1)?.careers;
  const tiers = agents.map(({ id }) => (careers?.get(id) ?? NEWCOMER).tier);
  const confidence = accepted.reduce((sum, prediction) => sum + BigInt(numberOf(prediction, 'confidence')), 0n);
  const count = BigInt(accepted.length);
  return {
    total_agents: agents.length,
    total_competitions: ledger.resolved.length,
    total_predictions: accepted.length,
    active_round: true,
    active_round_id: numberOf(open, 'id'),
    active_entries: accepted.filter((prediction) => prediction['round_id'] === open['id']).length,
    arena_points_per_round: 2500,
    top_agent: top?.['name'] ?? null,
    top_agent_credential: top?.['credential_tier'] ?? null,
    avg_confidence: count === 0n ? null : asNumber(roundedQuotient(100n * confidence, count), 2),
    credential_holders: Object.fromEntries(TIERS.map((tier) => [tier, tiers.filter((held) => held === tier).length])),
  };
}
