import type { Fact } from '../support/played-field.ts';

const DAY_MS = 86_400_000;

export const WINDOW_DAYS = { daily: 1, weekly: 7, monthly: 30, alltime: Infinity } as const;

export type Window = keyof typeof WINDOW_DAYS;

export const WINDOWS = Object.keys(WINDOW_DAYS).filter((name): name is Window => name in WINDOW_DAYS);

/** The scored ones of a window: it is counted back from the newest resolved round's end, and open at the far end. */
export function scoredIn(facts: readonly Fact[], window: Window): readonly Fact[] {
  const scored = facts.filter(({ outcome }) => outcome !== null);
  const newest = Math.max(...scored.map(({ end }) => end.getTime()));
  return scored.filter(({ end }) => end.getTime() > newest - WINDOW_DAYS[window] * DAY_MS);
}

/** The figures by the words of the decisions, one prediction after the other, without the service's rules. */
export function calibrationByHand(facts: readonly Fact[]) {
  const n = facts.length;
  const figures = facts.map(({ confidence, prediction, outcome, choices }) => {
    const [c, o] = [confidence / 100, prediction === outcome ? 1 : 0];
    const clipped = Math.min(0.99, Math.max(0.01, c));
    return {
      c,
      o,
      brier: (c - o) ** 2,
      reference: (1 / choices.length - o) ** 2,
      loss: -Math.log(o ? clipped : 1 - clipped),
    };
  });
  const mean = (of: (figure: (typeof figures)[number]) => number, among = figures): number =>
    among.reduce((sum, figure) => sum + of(figure), 0) / among.length;
  const bins = Array.from({ length: 10 }, (_, tenth) => {
    const inside = figures.filter(({ c }) => Math.min(9, Math.floor(Math.round(c * 100) / 10)) === tenth);
    return inside.length === 0
      ? { n: 0, meanConfidence: null, hitRate: null }
      : { n: inside.length, meanConfidence: mean(({ c }) => c, inside), hitRate: mean(({ o }) => o, inside) };
  });
  const brier = mean((figure) => figure.brier);
  const referenceBrier = mean((figure) => figure.reference);
  return {
    n,
    brier,
    referenceBrier,
    skill: n < 20 ? null : 1 - brier / referenceBrier,
    logLoss: mean(({ loss }) => loss),
    expectedCalibrationError: bins.reduce(
      (sum, bin) => sum + (bin.n / n) * Math.abs((bin.hitRate ?? 0) - (bin.meanConfidence ?? 0)),
      0,
    ),
    bins,
  };
}

/** The same numbers with ten digits, so that the order of adding does not tell. */
export function rounded(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value), (_key, part: unknown) =>
    typeof part === 'number' ? Number(part.toFixed(10)) : part,
  );
}

/** Of the confidence in the given answer. */
export function brierOf(fact: Fact): number {
  return (fact.confidence / 100 - isRight(fact)) ** 2;
}

/** 1 where the prediction came true, else 0. */
export function isRight({ prediction, outcome }: Fact): number {
  return prediction === outcome ? 1 : 0;
}
