import { type Asset, ASSETS, isAsset } from './assets.ts';
import { checkAll, DomainError, refused } from './errors.ts';
import { DAY, HOUR, MINUTE } from './hours.ts';
import { checkConfidence } from './predictions.ts';
import { BOOLEAN_CHOICES, QUESTION_TYPES, type QuestionType } from './questions/question.ts';
import { QUESTION_TABLE } from './questions/question-table.ts';

/** What an agent answers to questions of a type where it has not answered by itself. */
export interface StandingRow {
  readonly questionType: QuestionType;
  /** The asset that the question is about; null: whichever it is. */
  readonly asset?: Asset | null;
  /** The first that is among a round's choices is the answer. */
  readonly prediction: readonly string[];
  readonly confidence: number;
}

/** How many rows an agent may have standing. */
export const STANDING_ROWS = 26;

/** How long after its agent's last request a row stands. */
const LAPSE_MS = 7 * DAY;

/** How long before a round takes no more predictions it gets those that stand. */
const AHEAD_MS = 10 * MINUTE;

/** When the round of an hour gets them, `lockMs` being how long before its end it is locked: never in the first half of its time. */
export function standingTime(start: Date, lockMs: number): Date {
  const openMs = HOUR - lockMs;
  return new Date(start.getTime() + openMs - Math.min(AHEAD_MS, openMs / 2));
}

/** When rows lapse whose agent was last heard of at this time: counted from the end of its hour, so that none lapses early. */
export function lapseTime(lastRequest: Date): Date {
  return new Date(Math.ceil(lastRequest.getTime() / HOUR) * HOUR + LAPSE_MS);
}

/** When rows lapse whose agent sends a request now; once they have lapsed no request moves that on. */
export function movedOn(lapsesAt: Date | null, now: Date): Date | null {
  const next = lapseTime(now);
  return lapsesAt !== null && lapsesAt > now && lapsesAt < next ? next : lapsesAt;
}

/** Throws one `BAD_REQUEST` for all that is wrong with the rows, which may be anything, by the place of each. */
export function checkStandingRows(rows: unknown): void {
  if (!Array.isArray(rows)) throw refused('rows', 'a list', rows);
  if (rows.length > STANDING_ROWS) throw refused('rows', `a list of at most ${STANDING_ROWS} rows`, rows.length);
  const first = new Map<string, number>();
  const places = rows.flatMap((row: unknown, place) => checksOf(fieldsOf(row), { at: `rows[${place}]`, place, first }));
  checkAll(places);
}

type Fields = Readonly<Record<string, unknown>>;

interface Place {
  readonly at: string;
  readonly place: number;
  /** The places of the questions that rows before are about. */
  readonly first: Map<string, number>;
}

function fieldsOf(row: unknown): Fields {
  return typeof row === 'object' && row !== null ? { ...row } : {};
}

function checksOf({ questionType, asset = null, prediction, confidence }: Fields, of: Place): (() => void)[] {
  const { at, place, first } = of;
  const type = QUESTION_TYPES.find((one) => one === questionType);
  if (type === undefined)
    return [
      () => {
        throw refused(`${at}.questionType`, `one of ${QUESTION_TYPES.join(', ')}`, questionType);
      },
    ];
  const question = `${type} ${String(asset)}`;
  const before = first.get(question);
  first.set(question, before ?? place);
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

/** Only of some types each question has an asset that it is about. */
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
  throw refused(argument, `a list of different ones of ${ASSETS.join(', ')}`, given);
}
