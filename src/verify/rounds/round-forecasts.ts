import {
  type Checkpoint,
  CHECKPOINTS,
  checkpointPoint,
  RECORDING_MS,
  vectorsIn,
} from '../../rules/forecast/forecast.ts';
import { arenaGain, forecastFrom, newPools } from '../../rules/forecast/made.ts';
import { type Given, saidBy } from '../../rules/forecast/said.ts';
import { CANDIDATES } from '../../rules/forecast/candidates.ts';
import { NO_TOTALS, type Totals, totalsAmended } from '../../rules/forecast/mixture.ts';
import { referenceBrier } from '../../rules/edge.ts';
import { gridPointAt } from '../../rules/grid.ts';
import { MINUTE } from '../../rules/hours.ts';
import { type Kind, kindsOf } from '../../rules/kinds.ts';
import type { Sums } from '../../rules/statistics/means.ts';
import { inWindow, type Period } from '../../rules/windows.ts';
import { addEdge, type EdgeSums, noEdges } from '../boards/edge-sums.ts';
import type { Findings, Values } from '../findings.ts';
import { checkpointRecord, type ScoredForecast } from '../boards/forecast-record.ts';
import type { ReadRound } from '../published/history.ts';
import { admittedIn, submittedAt } from '../published/prediction.ts';
import type { PublishedForecast } from '../published/round-details.ts';
import type { RecomputedRound } from '../prices/round-references.ts';

interface ForecastNeeds {
  readonly answer: string | null;
  /** The first decision's answer, which forecasts used until an amendment. */
  readonly first: string | null;
  readonly findings: Findings;
}

interface Change {
  readonly from: string | null;
  readonly to: string | null;
  readonly at: Date;
}

export type Forecasts = ReturnType<typeof newForecasts>;

export type ArenaGains = (point: number) => number | null;

/** Inputs of forecasts, built up in the order of decision. */
export function newForecasts() {
  const edges = valuesOverTime<EdgeSums>(noEdges());
  const totals = valuesOverTime<Totals>(NO_TOTALS);
  const scored = new Map<number, ScoredForecast[]>();
  const madeOf = new Map<number, readonly Omit<ScoredForecast, 'winner' | 'brier' | 'expertBriers'>[]>();
  let isWhole = true;
  let hasArenaEdges = false;
  const sumsUntil = (agentId: number, until: Date): Sums => {
    const { n, sum, squares } = edges.until(agentId, until);
    return { n, sum: Number(sum), squareSum: Number(squares) };
  };
  const follow = ({ round: { id }, question: { choices } }: RecomputedRound, { from, to, at }: Change): void => {
    const winnerOf = (answer: string | null) => (answer === null ? null : choices.indexOf(answer));
    const [before, after] = [winnerOf(from), winnerOf(to)];
    const own: ScoredForecast[] = [];
    // The newest decision comes last, as in the service.
    scored.delete(id);
    scored.set(id, own);
    if (before === null && after === null) return;
    for (const made of madeOf.get(id) ?? []) {
      const experts = vectorsIn(made.said, choices.length);
      totals.add(made.minute, at, totalsAmended(totals.newest(made.minute), experts, { before, after }));
      if (after === null) continue;
      const brier = referenceBrier(made.probabilities, after);
      const expertBriers = experts.map((vector) => referenceBrier(vector, after));
      own.push({ ...made, winner: after, brier, expertBriers });
    }
  };
  return {
    /** For an unread resolved round: weights and records are unknown from here on. */
    skipRound(): void {
      isWhole = false;
    },
    addEdge(agentId: number, edge: { removed: number | null; added: number | null }, decidedAt: Date): void {
      const sums = { ...edges.newest(agentId) };
      addEdge(sums, edge.removed, -1);
      addEdge(sums, edge.added);
      edges.add(agentId, decidedAt, sums);
    },
    /** Edge over the arena minus edge over the price; null if not recomputable, or never published so far. */
    arenaGains(read: RecomputedRound, { answer, first }: ForecastNeeds): ArenaGains | null {
      const { round, details, question } = read;
      hasArenaEdges ||= details.results.some(({ arenaEdge }) => arenaEdge !== null);
      if (!isWhole || !hasArenaEdges || answer === null) return null;
      if (first === null) return () => null;
      const given = givenOf(read, (agentId) => sumsUntil(agentId, round.decided_at));
      const newest = CHECKPOINTS.map((minute) => [minute, totals.newest(minute)] as const);
      const inputs = inputsOf(read, given, { totals: new Map(newest), unpriced: [] });
      const points = details.results.map((result) => gridPointAt(round.start_time, result.submittedAt));
      const winner = question.choices.indexOf(answer);
      const gains = new Map([...new Set(points)].map((point) => [point, arenaGain(inputs, point, winner)]));
      return (point) => gains.get(point) ?? null;
    },
    check(read: RecomputedRound, { answer, first, findings }: ForecastNeeds): void {
      const { round, details } = read;
      const kinds = kindsOf({ questionType: round.question_type, subject: round.subject });
      const forecasts = (isWhole ? details.forecasts : []).map((published) => {
        const { minute, decidedUntil } = published;
        const made = recomputedForecast(read, published, {
          totals: totals.until(minute, decidedUntil),
          edgesOfAgent: (agentId) => sumsUntil(agentId, decidedUntil),
        });
        const winner = answer === null ? -1 : read.question.choices.indexOf(answer);
        const brierOf = (vector: readonly number[]): number | null =>
          winner < 0 ? null : referenceBrier(vector, winner);
        compare(read, published, { made, brierOf, findings });
        const { entries, probabilities } = made;
        return { minute, entries, probabilities, said: made.said.flat(), end: round.end_time, kinds };
      });
      madeOf.set(round.id, forecasts);
      follow(read, { from: null, to: first, at: round.decided_at });
    },
    amend: follow,
    /** Empty if not recomputable; without a kind, of all rounds. */
    record(period: Period, newestEnd: Date, kind: Kind | null): readonly Values[] {
      if (!isWhole) return [];
      const inside = [...scored.values()]
        .flat()
        .filter(({ end, kinds }) => inWindow(period, newestEnd, end) && (kind === null || kinds.includes(kind)));
      const byMinute = Map.groupBy(inside, ({ minute }) => minute);
      return CHECKPOINTS.map((minute) => checkpointRecord(minute, byMinute.get(minute) ?? []));
    },
  };
}

/** Values by a number, each from a time on; `none` before the first. They are added in the order of time. */
function valuesOverTime<Value>(none: Value) {
  const lists = new Map<number, { readonly at: Date; readonly value: Value }[]>();
  return {
    newest: (of: number): Value => lists.get(of)?.at(-1)?.value ?? none,
    until: (of: number, time: Date): Value => lists.get(of)?.findLast(({ at }) => at <= time)?.value ?? none,
    add(of: number, at: Date, value: Value): void {
      const list = lists.get(of) ?? [];
      list.push({ at, value });
      lists.set(of, list);
    },
  };
}

function givenOf(
  { round, predictions, question: { choices } }: RecomputedRound,
  edgesOfAgent: (agentId: number) => Sums,
): readonly Given[] {
  return admittedIn(predictions, choices)
    .filter(({ standing }) => standing === 0)
    .toSorted((one, other) => one.id - other.id)
    .map((one) => ({
      pickIndex: choices.indexOf(one.prediction),
      confidence: one.confidence,
      point: gridPointAt(round.start_time, submittedAt(one)),
      edges: edgesOfAgent(one.agent_id),
    }));
}

function recomputedForecast(
  read: RecomputedRound,
  { minute, entries, unpriced }: PublishedForecast,
  { totals, edgesOfAgent }: { readonly totals: Totals; readonly edgesOfAgent: (agentId: number) => Sums },
) {
  const checkpoint = CHECKPOINTS.find((one) => one === minute) ?? CHECKPOINTS[0];
  const point = checkpointPoint(checkpoint);
  const given = givenOf(read, edgesOfAgent)
    .filter((one) => one.point < point)
    .slice(0, entries);
  return forecastFrom(inputsOf(read, given, { totals: new Map([[checkpoint, totals]]), unpriced }), point);
}

/** `unpriced` lists points whose price the forecast did not have. */
function inputsOf(
  { question: { choices }, recomputedAt }: RecomputedRound,
  given: readonly Given[],
  { totals, unpriced }: { readonly totals: ReadonlyMap<Checkpoint, Totals>; readonly unpriced: readonly number[] },
) {
  const referenceAtPoint = (at: number): readonly number[] | null => {
    const { known, reference } = recomputedAt(at);
    return known && !unpriced.includes(at) ? reference : null;
  };
  const pools = newPools(choices);
  pools.add(saidBy(given), referenceAtPoint);
  return { choices, pools: pools.all, totals, referenceAtPoint };
}

interface ComparisonNeeds {
  readonly made: ReturnType<typeof recomputedForecast>;
  readonly brierOf: (vector: readonly number[]) => number | null;
  readonly findings: Findings;
}

function compare(
  { round }: ReadRound,
  published: PublishedForecast,
  { made, brierOf, findings }: ComparisonNeeds,
): void {
  const [price = [], mean = []] = made.said;
  const lateMs = published.recordedAt.getTime() - round.start_time.getTime() - published.minute * MINUTE;
  const place = `round ${round.id}, forecast of minute ${published.minute}`;
  findings.values(place, published, {
    entries: made.entries,
    unpriced: made.unpriced,
    probabilities: made.probabilities,
    price,
    crowd: made.entries === 0 ? null : mean,
    priceWeight: made.weights[0],
    brier: brierOf(made.probabilities),
    priceBrier: brierOf(price),
  });
  findings.holds(place, {
    is_in_time: lateMs >= 0 && lateMs <= RECORDING_MS,
    knows_only_of_earlier_decisions: published.decidedUntil < round.decided_at,
  });
  for (const [index, name] of CANDIDATES.entries()) {
    const shown = published.candidates[index];
    const vector = made.said[index + 1] ?? [];
    const recomputed = { name, probabilities: vector, weight: made.weights[index + 1], brier: brierOf(vector) };
    findings.values(`${place}, ${name}`, shown ?? {}, recomputed);
  }
}
