import { type Asset, ASSETS, isAsset } from './assets.ts';
import { checkAll, DomainError, refused } from './errors.ts';
import { DAY, HOUR, MINUTE } from './hours.ts';
import { checkConfidence } from './predictions.ts';
import { BOOLEAN_CHOICES, QUESTION_TYPES, type QuestionType } from './questions/question.ts';
import { QUESTION_TABLE } from './questions/question-table.ts';

/** A default answer to questions of a type. */
export interface DefaultAnswer {
  readonly questionType: QuestionType;
  /** The question's subject; null matches any. */
  readonly asset?: Asset | null;
  /** The first one among a round's choices is the answer. */
  readonly prediction: readonly string[];
  readonly confidence: number;
}

const MAX_DEFAULT_ANSWERS = 26;

const LAPSE_MS = 7 * DAY;

const LEAD_BEFORE_LOCK_MS = 10 * MINUTE;

/** The entry time of standing predictions, never in the first half of the open time. `lockMs` precedes the end. */
export function defaultAnswersTime(start: Date, lockMs: number): Date {
  const openMs = HOUR - lockMs;
  return new Date(start.getTime() + openMs - Math.min(LEAD_BEFORE_LOCK_MS, openMs / 2));
}

/** Counted from the end of the request's hour, so that no row lapses early. */
export function lapseTime(lastRequest: Date): Date {
  return new Date(Math.ceil(lastRequest.getTime() / HOUR) * HOUR + LAPSE_MS);
}

/** The new lapse time after a request at `now`; lapsed rows stay lapsed. */
export function movedOn(lapsesAt: Date | null, now: Date): Date | null {
  const next = lapseTime(now);
  return lapsesAt !== null && lapsesAt > now && lapsesAt < next ? next : lapsesAt;
}

/** Throws one `BAD_REQUEST` for all faults of the rows, each named by its index. */
export function checkDefaultAnswers(rows: unknown): void {
  if (!Array.isArray(rows)) throw refused('rows', 'a list', rows);
  if (rows.length > MAX_DEFAULT_ANSWERS)
    throw refused('rows', `a list of at most ${MAX_DEFAULT_ANSWERS} rows`, rows.length);
  const first = new Map<string, number>();
  const checks = rows.flatMap((row: unknown, index) => checksOf(fieldsOf(row), { at: `rows[${index}]`, index, first }));
  checkAll(checks);
}

type Fields = Readonly<Record<string, unknown>>;

interface RowPosition {
  readonly at: string;
  readonly index: number;
  readonly first: Map<string, number>;
}

function fieldsOf(row: unknown): Fields {
  return typeof row === 'object' && row !== null ? { ...row } : {};
}

function checksOf({ questionType, asset = null, prediction, confidence }: Fields, of: RowPosition): (() => void)[] {
  const { at, index, first } = of;
  const type = QUESTION_TYPES.find((one) => one === questionType);
  if (type === undefined)
    return [
      () => {
        throw refused(`${at}.questionType`, `one of ${QUESTION_TYPES.join(', ')}`, questionType);
      },
    ];
  const question = `${type} ${String(asset)}`;
  const before = first.get(question);
  first.set(question, before ?? index);
  return [
    () => checkAsset(`${at}.asset`, type, asset),
    () => checkAnswers(`${at}.prediction`, type, prediction),
    () => checkConfidence(confidence, `${at}.confidence`),
    () => {
      if (before === undefined) return;
      const message = `${at} must be the only row of its question type and asset; rows[${before}] has them too.`;
      throw new DomainError('invalid_parameter', message, { argument: at });
    },
  ];
}

function checkAsset(argument: string, type: QuestionType, asset: unknown): void {
  if (asset === null) return;
  if (!QUESTION_TABLE[type].about.startsWith('one'))
    throw refused(argument, `left out of ${type}, which is about several assets`, asset);
  if (typeof asset !== 'string' || !isAsset(asset)) throw refused(argument, `one of ${ASSETS.join(', ')}`, asset);
}

function checkAnswers(argument: string, type: QuestionType, given: unknown): void {
  const answers: readonly unknown[] = Array.isArray(given) ? given : [given];
  if (QUESTION_TABLE[type].format === 'boolean') {
    if (answers.length === 1 && BOOLEAN_CHOICES.some((one) => one === answers[0])) return;
    throw refused(argument, `one of ${BOOLEAN_CHOICES.join(', ')}`, given);
  }
  const isKnown = answers.every((one) => typeof one === 'string' && isAsset(one));
  if (isKnown && answers.length > 0 && new Set(answers).size === answers.length) return;
  throw refused(argument, `a list without repeats of ${ASSETS.join(', ')}`, given);
}
