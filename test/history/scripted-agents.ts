import { createHash } from 'node:crypto';
import { at } from './json.ts';
import type { Verdict } from './oracle-questions.ts';
import type { RoundFacts } from './round-facts.ts';

export interface Script {
  readonly name: string;
  /** The ordinal of the round (from 0) in which the agent registers, activates or changes its key. */
  readonly joins: number;
  readonly activates?: number;
  readonly rotates?: number;
  /** Of 100 rounds, how many it sits out. */
  readonly absent: number;
  /** The answer, given the right one: undefined where the round is void. */
  pick(hash: Hash, choices: readonly string[], right: string | undefined, ordinal: number): string;
  /** Of a floating confidence `undefined`. */
  confidence(hash: Hash): number | undefined;
}

/** A whole number from 0 to below `bound` that depends on agent, round and label alone. */
export type Hash = (label: string, bound: number) => number;

export interface Plan {
  readonly prediction: string;
  readonly confidence: number;
  /** Confidence that no other agent with a floating one has in the round, so that places do not hang on who came first. */
  readonly floating: boolean;
}

const DEFAULTS = { joins: 0, absent: 0, confidence: () => undefined } as const;

/** Twenty agents, each with a habit that some rule has to cope with. */
export const CAST: readonly Script[] = [
  { ...DEFAULTS, name: 'seer', pick: rightIn(100), confidence: (hash) => 85 + hash('confidence', 16) },
  { ...DEFAULTS, name: 'turncoat', pick: rightUntil(70), confidence: (hash) => 80 + hash('confidence', 21) },
  { ...DEFAULTS, name: 'all-in', pick: rightIn(60), confidence: () => 100 },
  { ...DEFAULTS, name: 'timid', pick: rightIn(60), confidence: () => 0 },
  { ...DEFAULTS, name: 'edge-49', pick: rightIn(55), confidence: () => 49 },
  { ...DEFAULTS, name: 'edge-80', pick: rightIn(55), confidence: (hash) => 79 + hash('confidence', 2) },
  { ...DEFAULTS, name: 'first-only', pick: (_, choices) => at(choices, 0) },
  { ...DEFAULTS, name: 'last-only', pick: (_, choices) => at(choices, -1) },
  { ...DEFAULTS, name: 'good-1', pick: rightIn(70) },
  { ...DEFAULTS, name: 'good-2', pick: rightIn(65) },
  { ...DEFAULTS, name: 'good-3', pick: rightIn(60), absent: 10 },
  { ...DEFAULTS, name: 'Good_4', pick: rightIn(65), rotates: 15 },
  { ...DEFAULTS, name: 'random-1', pick: rightIn(0) },
  { ...DEFAULTS, name: 'random-2', pick: rightIn(0) },
  { ...DEFAULTS, name: 'random-3', pick: rightIn(0), absent: 30 },
  { ...DEFAULTS, name: 'rare-1', pick: rightIn(65), absent: 60 },
  { ...DEFAULTS, name: 'rare-2', pick: rightIn(30), absent: 80 },
  { ...DEFAULTS, name: 'late', pick: rightIn(70), joins: 12 },
  { ...DEFAULTS, name: 'spectator', pick: rightIn(65), activates: 10 },
  { ...DEFAULTS, name: 'late-spectator', pick: rightIn(50), joins: 5, activates: 20, confidence: () => 100 },
];

export function planOf(script: Script, round: RoundFacts, verdict: Verdict, ordinal: number): Plan | undefined {
  const hash = hashOf(script.name, round.id);
  if (hash('absent', 100) < script.absent) return undefined;
  const right = verdict.status === 'resolved' ? verdict.outcome : undefined;
  const own = script.confidence(hash);
  return {
    prediction: script.pick(hash, round.choices, right, ordinal),
    confidence: own ?? floatingConfidence(CAST.indexOf(script), round.id),
    floating: own === undefined,
  };
}

/** Steps of 5 from a place that turns with the round: the whole of 0-100 over the rounds, never twice in one. */
function floatingConfidence(index: number, roundId: number): number {
  return (hashOf('everybody', roundId)('confidence', 101) + 5 * index) % 101;
}

/** Right with this chance in percent, and otherwise any answer. */
function rightIn(percent: number): Script['pick'] {
  return (hash, choices, right) =>
    right !== undefined && hash('luck', 100) < percent ? right : at(choices, hash('pick', choices.length));
}

/** Always right up to a round, always wrong from it: gains a tier and loses it. */
function rightUntil(turn: number): Script['pick'] {
  return (hash, choices, right, ordinal) =>
    ordinal < turn
      ? (right ?? at(choices, 0))
      : at(
          choices.filter((choice) => choice !== right),
          hash('pick', choices.length - 1),
        );
}

function hashOf(name: string, roundId: number): Hash {
  return (label, bound) => createHash('sha256').update(`${name} ${roundId} ${label}`).digest().readUInt32BE(0) % bound;
}
