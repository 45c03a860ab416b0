import type { Arena } from '../support/arena.ts';

/** A score as it stands in the database, in whole units: cents, and millionths of Brier. */
interface Booked {
  readonly agentId: number;
  readonly roundEnd: number;
  readonly correct: boolean;
  readonly points: number;
  readonly arenaPoints: number;
  readonly cents: number;
  readonly brier: number;
  readonly reference: number;
  readonly confidence: number;
  readonly choices: number;
  /** Millionths; null where no price was known. */
  readonly edge: number | null;
  /** Billionths. */
  readonly contribution: number;
  /** Millionths. */
  readonly peer: number;
}

const DAY_MS = 86_400_000;
const WINDOWS = { daily: 1, weekly: 7, monthly: 30, alltime: Infinity } as const;

/**
 * Adds up scores from the beginning each time it is asked, as the decisions say, without the service's rules: what
 * standings must equal. Rounds are booked in the order in which they are decided.
 */
export class Ledger {
  readonly #booked = new Map<number, Booked[]>();
  readonly #tiers = new Map<number, string>();
  readonly #tierChanges: object[] = [];
  #newestEnd = -Infinity;

  async book(arena: Arena, roundId: number): Promise<void> {
    const scores = await arena.query<Booked>(
      `select agent_id as "agentId", (extract(epoch from r.end_time) * 1000)::float as "roundEnd", is_correct as correct,
         score + streak_bonus as points, arena_points as "arenaPoints", (pnl_usd * 100)::int as cents,
         (brier * 1000000)::int as brier, (reference_brier * 1000000)::int as reference,
         (select confidence from predictions p where p.round_id = s.round_id and p.agent_id = s.agent_id) as confidence,
         jsonb_array_length(r.choices) as choices, edge_millionths as edge, contribution_billionths as contribution,
         peer_millionths as peer
       from scores s join rounds r on r.id = s.round_id where s.round_id = $1 order by agent_id`,
      [roundId],
    );
    const [round] = await arena.query<{ end: Date }>('select end_time as end from rounds where id = $1', [roundId]);
    this.#newestEnd = Math.max(this.#newestEnd, round?.end.getTime() ?? -Infinity);
    for (const score of scores) {
      const mine = this.#booked.get(score.agentId) ?? [];
      this.#booked.set(score.agentId, [...mine, score]);
      this.#noteTier(roundId, score.agentId);
    }
  }

  /** Every agent's standing, by column. */
  standings(): readonly Readonly<Record<string, unknown>>[] {
    return [...this.#booked]
      .toSorted(([left], [right]) => left - right)
      .map(([agentId, scores]) => ({
        agent_id: agentId,
        ...Object.fromEntries(Object.entries(WINDOWS).flatMap(([name, days]) => this.#window(name, days, scores))),
        ...streaksOf(scores),
        tier: this.#tiers.get(agentId),
      }));
  }

  /** The `TIER_CHANGED` events so far. */
  tierChanges(): readonly object[] {
    return this.#tierChanges;
  }

  #window(name: string, days: number, scores: readonly Booked[]): readonly [string, number][] {
    const inside = scores.filter(({ roundEnd }) => roundEnd > this.#newestEnd - days * DAY_MS);
    return [
      [`${name}_points`, total(inside, ({ points }) => points)],
      [`${name}_arena_points`, total(inside, ({ arenaPoints }) => arenaPoints)],
      [`${name}_wins`, total(inside, ({ correct }) => Number(correct))],
      [`${name}_competitions`, inside.length],
      [`${name}_pnl_usd`, total(inside, ({ cents }) => cents)],
      [`${name}_brier_sum`, total(inside, ({ brier }) => brier)],
      [`${name}_reference_brier_sum`, total(inside, ({ reference }) => reference)],
      [`${name}_points_square_sum`, total(inside, ({ points }) => points ** 2)],
      [`${name}_skill_square_sum`, total(inside, (score) => advantage(score) ** 2)],
      [`${name}_edge_sum`, total(inside, ({ edge }) => edge ?? 0)],
      [`${name}_edge_square_sum`, total(inside, ({ edge }) => (edge ?? 0) ** 2)],
      [`${name}_without_edge`, inside.filter(({ edge }) => edge === null).length],
      [`${name}_contribution_sum`, total(inside, ({ contribution }) => contribution)],
      [`${name}_peer_sum`, total(inside, ({ peer }) => peer)],
      [`${name}_choices_4`, inside.filter(({ choices }) => choices === 4).length],
      [`${name}_choices_8`, inside.filter(({ choices }) => choices === 8).length],
      [`${name}_chance_pnl_sum`, total(inside, (score) => 8 * chanceOf(score).mean)],
      [`${name}_chance_pnl_variance`, total(inside, (score) => 64 * chanceOf(score).variance)],
    ];
  }

  #noteTier(roundId: number, agentId: number): void {
    const [from, to] = [this.#tiers.get(agentId) ?? 'bronze', tierOf(this.#booked.get(agentId) ?? [])];
    this.#tiers.set(agentId, to);
    if (from !== to)
      this.#tierChanges.push({ round_id: roundId, payload: { agentId, agentName: `agent-${agentId}`, from, to } });
  }
}

function streaksOf(scores: readonly Booked[]) {
  let [current, best] = [0, 0];
  for (const { correct } of scores) {
    current = correct ? current + 1 : 0;
    best = Math.max(best, current);
  }
  return { current_streak: current, best_streak: best };
}

/** What chance would have given this confidence, in cents: mean and variance of the P&L when it is right once in k. */
function chanceOf({ confidence, choices: k }: Booked) {
  const c = Math.max(confidence / 100, 1 / k);
  const [even, miss] = [1 - 1 / k, (1 - c) ** 2 / (k - 1)];
  const pnl = (brier: number): number => {
    const cents = (10_000 * (even - brier)) / (2 - even);
    return Math.sign(cents) * Math.round(Math.abs(cents) + 1e-7);
  };
  const right = pnl((1 - c) ** 2 + miss);
  const wrong = pnl(c ** 2 + (1 - (1 - c) / (k - 1)) ** 2 + ((k - 2) * (1 - c) ** 2) / (k - 1) ** 2);
  const mean = (right + (k - 1) * wrong) / k;
  return { mean, variance: ((right - mean) ** 2 + (k - 1) * (wrong - mean) ** 2) / k };
}

/** Decisions, credential tiers: by mean and standard deviation, as they are defined. */
function tierOf(scores: readonly Booked[]): string {
  const [n, points] = [scores.length, total(scores, (score) => score.points)];
  const edges = scores.flatMap(({ edge }) => edge ?? []);
  const mean = edges.reduce((sum, edge) => sum + edge, 0) / edges.length;
  const deviation = Math.sqrt(edges.reduce((sum, edge) => sum + (edge - mean) ** 2, 0) / (edges.length - 1));
  if (points >= 75_000 && n >= 720 && mean > (2 * deviation) / Math.sqrt(edges.length)) return 'diamond';
  if (points >= 25_000 && n >= 240 && mean > 0) return 'gold';
  return points >= 5_000 && n >= 50 ? 'silver' : 'bronze';
}

function advantage({ reference, brier }: Booked): number {
  return reference - brier;
}

function total(scores: readonly Booked[], figure: (score: Booked) => number): number {
  return scores.reduce((sum, score) => sum + figure(score), 0);
}
