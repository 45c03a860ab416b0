import type { Ask } from '../support/snapshot.ts';
import { PERIODS, WINDOW_HOURS } from './boards.ts';
import { HOUR } from './hours.ts';
import { type Answer, type Career, NEWCOMER, type Scored, scoredIn } from './ledger.ts';
import { pnlCentsOf } from './scores.ts';

/** A prediction of a resolved round beside the score that stands for it; null where there is none. */
interface Stored extends Omit<Answer, 'edge'> {
  readonly roundId: number;
  readonly roundEnd: Date;
  readonly outcome: string;
  readonly choices: readonly string[];
  /** As stored, in millionths: what the price alone said stands in no table. */
  readonly edge: number | null;
  /** As stored, in billionths and millionths. */
  readonly contribution: number;
  readonly peer: number;
  readonly stored: string | null;
}

type Replayed = Omit<Stored, 'edge'> & Scored;

/** In the order of resolution: that of the events, before which come the rounds whose events are forgotten. */
const STORED = `
  select p.round_id as "roundId", p.agent_id as agent, p.id::float8, p.prediction, p.confidence,
    to_char(p.submitted_at, 'YYYY-MM-DD"T"HH24:MI:SS.MS') as "submittedAt", r.outcome, r.choices, r.end_time as "roundEnd",
    s.edge_millionths as edge, coalesce(s.contribution_billionths, 0) as contribution, coalesce(s.peer_millionths, 0) as peer,
    s.is_correct::int || ' ' || s.score || '+' || s.streak_bonus || ' place ' || s.place || ' arena ' || s.arena_points
      || ' cents ' || (s.pnl_usd * 100)::int || ' Brier ' || (s.brier * 1000000)::int || ', '
      || (s.reference_brier * 1000000)::int as stored
  from predictions p join rounds r on r.id = p.round_id and r.status = 'resolved'
    left join scores s on s.round_id = p.round_id and s.agent_id = p.agent_id
    left join events e on e.round_id = r.id and e.kind = 'ROUND_RESOLVED'
  where $1::int is null or r.id = $1
  order by e.seq nulls first, r.decided_at, r.id`;

/** Columns of standings that are kept in larger units than the whole ones of the oracle: cents, millionths of Brier. */
const UNITS: readonly (readonly [RegExp, number])[] = [
  [/_usd$/, 100],
  [/brier_sum$/, 1_000_000],
];

/** A standing by its columns, in whole units. */
type Standing = Readonly<Record<string, number | string>>;

/**
 * Scores the predictions of resolved rounds anew in the order of their decisions, and adds them up from the beginning each
 * time it is asked, by rules of its own.
 */
export class Replay {
  readonly #ask: Ask;
  readonly #careers = new Map<number, Career>();
  readonly #scored: (Replayed & { readonly figures: Readonly<Record<string, number>> })[] = [];
  readonly #tierChanges: object[] = [];

  constructor(ask: Ask) {
    this.#ask = ask;
  }

  /** Goes on with a round, or through all of them; what is stored of a score otherwise. */
  async book(roundId: number | null = null): Promise<string[]> {
    const rounds = Map.groupBy(await this.#ask<Stored>(STORED, [roundId]), (one) => one.roundId);
    return [...rounds.values()].flatMap((predictions) => this.#bookRound(predictions));
  }

  #bookRound(predictions: readonly Stored[]): string[] {
    const [first] = predictions;
    if (first === undefined) return [];
    const { roundId, choices, outcome } = first;
    const tiers = new Map(predictions.map(({ agent }) => [agent, this.#careers.get(agent)?.tier ?? NEWCOMER.tier]));
    const answers = predictions.map((one) => ({ ...one, edge: one.edge === null ? null : BigInt(one.edge) }));
    const scored = scoredIn({ choices, outcome, answers }, this.#careers);
    this.#scored.push(...scored.map((one) => ({ ...one, figures: figuresOf(one) })));
    for (const [agentId, from] of [...tiers].toSorted(([one], [other]) => one - other)) {
      const to = this.#careers.get(agentId)?.tier;
      if (from !== to)
        this.#tierChanges.push({ round_id: roundId, payload: { agentId, agentName: `agent-${agentId}`, from, to } });
    }
    return scored.flatMap((one) => {
      const { correct, score, streakBonus, place, arenaPoints, pnlCents } = one;
      const [points, briers] = [`${score}+${streakBonus}`, `${brierOf(one)}, ${Math.round(referenceOf(one))}`];
      const expected = `${Number(correct)} ${points} place ${place} arena ${arenaPoints} cents ${pnlCents} Brier ${briers}`;
      return one.stored === expected
        ? []
        : [`score of agent ${one.agent} in round ${roundId}: stored ${one.stored}, expected ${expected}`];
    });
  }

  /** The `TIER_CHANGED` events that there must be, of agents who are called after their ids. */
  tierChanges(): readonly object[] {
    return this.#tierChanges;
  }

  /** Whatever the table of standings has otherwise. */
  async standingDifferences(): Promise<string[]> {
    const [newest] = await this.#ask<{ end: Date | null }>(
      `select max(end_time) as "end" from rounds where status = 'resolved'`,
    );
    const stored = new Map((await standingsNow(this.#ask)).map((row) => [row['agent_id'], row]));
    const expected = this.#standings(newest?.end?.getTime() ?? Number.NaN);
    const strangers = [...stored.keys()].filter((id) => !this.#careers.has(Number(id)));
    return [
      ...strangers.map((id) => `standing of agent ${id}, who has no score`),
      ...expected.flatMap(({ agent_id: id = 0, ...columns }) =>
        Object.entries(columns).flatMap(([column, value]) => {
          const found = stored.get(id)?.[column] ?? null;
          return found === value ? [] : [`standings.${column} of agent ${id}: stored ${found}, expected ${value}`];
        }),
      ),
    ];
  }

  #standings(newest: number): readonly Standing[] {
    const byAgent = Map.groupBy(this.#scored, ({ agent }) => agent);
    return [...byAgent].map(([agent, scores]) => {
      const { streak = 0, bestStreak = 0, tier = '' } = this.#careers.get(agent) ?? {};
      const windows = PERIODS.flatMap((period) => {
        const start = newest - WINDOW_HOURS[period] * HOUR;
        const inside = scores.filter(({ roundEnd }) => roundEnd.getTime() > start);
        return Object.keys(FIGURES).map((name) => {
          const sum = inside.reduce((total, { figures }) => total + (figures[name] ?? 0), 0);
          return [`${period}_${name}`, sum] as const;
        });
      });
      return {
        agent_id: agent,
        ...Object.fromEntries(windows),
        current_streak: streak,
        best_streak: bestStreak,
        tier,
      };
    });
  }
}

function figuresOf(scored: Replayed): Readonly<Record<string, number>> {
  return Object.fromEntries(Object.entries(FIGURES).map(([name, figure]) => [name, figure(scored)]));
}

/** The Brier score of the confidence in the pick alone, in millionths. */
function brierOf({ confidence, correct }: Replayed): number {
  return 100 * (confidence - 100 * Number(correct)) ** 2;
}

/** That of a guess among the choices. */
function referenceOf({ correct, choices }: Replayed): number {
  return 1_000_000 * (1 / choices.length - Number(correct)) ** 2;
}

/** What standings keep the sum of, by the column's name behind that of the window, in whole units. */
const FIGURES: Readonly<Record<string, (scored: Replayed) => number>> = {
  points: ({ score, streakBonus }) => score + streakBonus,
  arena_points: ({ arenaPoints }) => arenaPoints,
  wins: ({ correct }) => Number(correct),
  competitions: () => 1,
  pnl_usd: ({ pnlCents }) => Number(pnlCents),
  brier_sum: (scored) => brierOf(scored),
  reference_brier_sum: (scored) => referenceOf(scored),
  points_square_sum: ({ score, streakBonus }) => (score + streakBonus) ** 2,
  skill_square_sum: (scored) => (referenceOf(scored) - brierOf(scored)) ** 2,
  edge_sum: ({ edge }) => Number(edge ?? 0),
  edge_square_sum: ({ edge }) => Number(edge ?? 0) ** 2,
  without_edge: ({ edge }) => Number(edge === null),
  contribution_sum: ({ contribution }) => contribution,
  peer_sum: ({ peer }) => peer,
  choices_4: ({ choices }) => Number(choices.length === 4),
  choices_8: ({ choices }) => Number(choices.length === 8),
  chance_pnl_sum: (scored) => 8 * chanceOf(scored).mean,
  chance_pnl_variance: (scored) => 64 * chanceOf(scored).variance,
};

/** What chance would have given this confidence, in cents: mean and variance of the P&L when it is right once in k. */
function chanceOf({ confidence, choices: { length: k } }: Replayed) {
  const [right, wrong] = [true, false].map((correct) => Number(pnlCentsOf(k, confidence, correct)));
  const mean = ((right ?? 0) + (k - 1) * (wrong ?? 0)) / k;
  return { mean, variance: (((right ?? 0) - mean) ** 2 + (k - 1) * ((wrong ?? 0) - mean) ** 2) / k };
}

/** Every standing as it is in the database. */
export async function standingsNow(ask: Ask): Promise<readonly Standing[]> {
  const columns = await ask<{ column: string; wide: boolean }>(
    `select column_name as column, data_type in ('numeric', 'bigint') as wide from information_schema.columns
     where table_name = 'standings' order by ordinal_position`,
  );
  const selected = columns.map(({ column, wide }) => {
    const units = UNITS.find(([name]) => name.test(column))?.[1] ?? 1;
    return wide ? `(${column} * ${units})::float8 as ${column}` : column;
  });
  return ask(`select ${selected.join(', ')} from standings order by agent_id`);
}

/** Everything that is stored of predictions otherwise than they come to: their scores, and what standings add up. */
export async function replayDifferences(ask: Ask): Promise<string[]> {
  const replay = new Replay(ask);
  return [...(await replay.book()), ...(await replay.standingDifferences())];
}
