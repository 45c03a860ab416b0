import { agentDifferences } from './compare-agents.ts';
import { boardDifferences } from './compare-boards.ts';
import { roundDifferences } from './compare-rounds.ts';
import { sightingFaults } from './compare-sightings.ts';
import { statsDifferences } from './compare-stats.ts';
import { saidOf, worthDifferences } from './compare-worths.ts';
import { ledgerOf } from './oracle-ledger.ts';
import { factsOf } from './round-facts.ts';
import type { Candles } from './candle-files.ts';
import type { Recording } from './recording.ts';

/** Every difference between what the service answered in a run and what the oracle finds, one line each. */
export function runDifferences(recording: Recording, candles: Candles): string[] {
  const facts = recording.rounds.map(({ round }) => factsOf(round));
  const ledger = ledgerOf(facts, { accepted: recording.accepted, said: saidOf(recording) }, candles);
  return [
    ...recording.surprises,
    ...strayPredictions(recording),
    ...roundDifferences(recording, ledger, candles),
    ...worthDifferences(recording, ledger),
    ...agentDifferences(recording, ledger),
    ...boardDifferences(recording, ledger),
    ...statsDifferences(recording, ledger),
    ...sightingFaults(recording, candles),
  ];
}

/** Accepted predictions of a round that nobody can read: each check by round would pass over them. */
function strayPredictions({ accepted, rounds, open }: Recording): string[] {
  const known = new Set([...rounds.map(({ id }) => id), open['id']]);
  return accepted
    .filter((prediction) => !known.has(prediction['round_id'] ?? null))
    .map((prediction) => `${JSON.stringify(prediction)} was accepted for a round that does not exist`);
}
