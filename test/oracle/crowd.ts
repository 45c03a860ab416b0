/** A prediction of a round, as the definitions of docs/fairness.md take it. */
interface Answered {
  readonly pick: string;
  readonly confidence: number;
}

/** What a prediction is worth beside the others of its round: by its definition, one prediction after the other. */
export interface FairFigures {
  readonly ownBrier: number;
  /** The same with at most 0.98 on the pick: what is taken from a reference that has not settled. */
  readonly boundedBrier: number;
  readonly contribution: number;
  readonly peerScore: number;
}

/** The figures of each prediction, apart from src: the crowd is formed anew for everyone who is left out of it. */
export function figuresByDefinition(
  choices: readonly string[],
  answers: readonly Answered[],
  outcome: string,
): readonly FairFigures[] {
  const vectors = answers.map((answer) => vectorOf(choices, answer));
  const won = choices.indexOf(outcome);
  const logs = vectors.map((vector) => Math.log(Math.min(0.99, Math.max(0.01, vector[won] ?? 0))));
  return vectors.map((vector, mine) => {
    const others = vectors.filter((_, place) => place !== mine);
    const ownBrier = brierOf(vector, won);
    const boundedBrier = brierOf(vectorOf(choices, answers[mine] ?? { pick: '', confidence: 0 }, 0.98), won);
    if (others.length === 0) return { ownBrier, boundedBrier, contribution: 0, peerScore: 0 };
    const mean = logs.reduce((sum, log, place) => sum + (place === mine ? 0 : log), 0) / others.length;
    return {
      ownBrier,
      boundedBrier,
      contribution: brierOf(meanOf(others), won) - brierOf(meanOf(vectors), won),
      peerScore: 100 * ((logs[mine] ?? 0) - mean),
    };
  });
}

/** The mean of (c - o)^2 over the answers; null for none. */
export function difficultyBy(answers: readonly Answered[], outcome: string): number | null {
  const terms = answers.map(({ pick, confidence }) => (confidence / 100 - Number(pick === outcome)) ** 2);
  return terms.length === 0 ? null : terms.reduce((sum, term) => sum + term, 0) / terms.length;
}

/** What a crowd says: the mean of the vectors of all its predictions. */
export function crowdOf(choices: readonly string[], answers: readonly Answered[]): readonly number[] {
  return meanOf(answers.map((answer) => vectorOf(choices, answer)));
}

/** Brier over all answers of a vector when the answer at `won` won. */
export function brierOf(vector: readonly number[], won: number): number {
  return vector.reduce((sum, p, place) => sum + (p - Number(place === won)) ** 2, 0);
}

function vectorOf(choices: readonly string[], { pick, confidence }: Answered, most = 1): readonly number[] {
  const c = Math.min(most, Math.max(confidence / 100, 1 / choices.length));
  return choices.map((choice) => (choice === pick ? c : (1 - c) / (choices.length - 1)));
}

function meanOf(vectors: readonly (readonly number[])[]): readonly number[] {
  const [first = []] = vectors;
  return first.map((_, place) => vectors.reduce((sum, vector) => sum + (vector[place] ?? 0), 0) / vectors.length);
}
