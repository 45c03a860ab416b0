import { hash } from 'node:crypto';

/* The bytes of the log's leaves, as docs/log.md describes them. A changed format gets another number in its first line. */

interface LoggedPrediction {
  readonly roundId: number;
  readonly agentId: number;
  readonly prediction: string;
  /** Percent. */
  readonly confidence: number;
  readonly submittedAt: Date;
  /** True if the service made it from standing predictions. */
  readonly standing: boolean;
  /** The digest of its rationale and model (`wordsDigest`); null without both. */
  readonly words: string | null;
}

/** A prediction's leaf; `prediction-leaves.ts` writes the same in SQL. */
export function predictionLeaf(one: LoggedPrediction): string {
  const { roundId, agentId, prediction, confidence, submittedAt, standing, words } = one;
  const [at, isStanding] = [submittedAt.getTime(), standing ? 1 : 0];
  return `hourcast prediction 1\n${roundId} ${agentId} ${prediction} ${confidence} ${at} ${isStanding} ${words ?? '-'}\n`;
}

/** The RFC 6962 hash of a leaf in base64. Each submission has one: a Buffer on the way doubles its time. */
export function leafHashText(leaf: string): string {
  return hash('sha256', `\0${leaf}`, 'base64');
}

type Words = Readonly<Partial<Record<'rationale' | 'model', string | null>>>;

/** The SHA-256 of both texts in hexadecimal, a zero byte between them; null without both. */
export function wordsDigest({ rationale, model }: Words): string | null {
  return rationale == null && model == null ? null : digestOf(`${rationale ?? ''}\0${model ?? ''}`);
}

/** SHA-256 of a text's UTF-8, in hexadecimal. */
export function digestOf(text: string): string {
  return hash('sha256', text);
}

/** A fraction as leaves have it. */
export function inBillionths(fraction: number): number {
  return Math.floor(fraction * 1e9 + 0.5);
}

export interface LoggedForecast {
  readonly probabilities: readonly number[];
  /** The probabilities of all experts, the price first, and their weights. */
  readonly said: readonly number[];
  readonly weights: readonly number[];
}

/** The salt hides a forecast until both are published. */
export function forecastDigest({ probabilities, said, weights }: LoggedForecast, salt: string): string {
  const lines = [probabilities, said, weights].map((vector) => `${vector.map(inBillionths).join(' ')}\n`);
  return digestOf(`${salt}\n${lines.join('')}`);
}

/** The fields of the other leaves, in their order. Absent values are `-`. */
export const RECORD_FIELDS = {
  /** A later epoch begins with a restored backup: the log may then lack leaves that were published. */
  epoch: ['epoch'],
  /** Written with a round's predictions, which are the `entries` leaves before it; `root` is the root over them alone. */
  closed: [
    'round',
    'start',
    'type',
    'question',
    'choices',
    'subject',
    'operator',
    'threshold_pct',
    'n',
    'rules',
    'entries',
    'root',
  ],
  decided: ['round', 'status', 'outcome', 'void_reason', 'decided_at', 'evidence', 'scores', 'forecasts'],
  amended: ['round', 'status', 'outcome', 'void_reason', 'amended_at', 'evidence', 'scores', 'forecasts'],
  /** `forecast` and `picks` are digests that begin with a salt, which is published once the round is over. */
  forecast: ['round', 'minute', 'recorded_at', 'entries', 'forecast', 'picks'],
  frozen: ['period', 'frozen_at', 'board'],
} as const;

export type RecordKind = keyof typeof RECORD_FIELDS;

type RecordValues<Kind extends RecordKind> = Readonly<
  Record<(typeof RECORD_FIELDS)[Kind][number], string | number | null>
>;

/** A leaf of another kind: its name, then a line a field. */
export function recordLeaf<Kind extends RecordKind>(kind: Kind, values: RecordValues<Kind>): string {
  const fields: readonly (typeof RECORD_FIELDS)[Kind][number][] = RECORD_FIELDS[kind];
  const lines = fields.map((name) => `${name} ${values[name] ?? '-'}\n`);
  return `hourcast ${kind} 1\n${lines.join('')}`;
}
