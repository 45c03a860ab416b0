import { roundPath } from '../addresses.ts';
import { type AskedQuestion, plainQuestion } from '../plain-question.ts';
import { clockTime, counted, day, percent, whole } from '../figures.ts';

/** What a list shows of a round. */
interface ListedRound extends AskedQuestion {
  readonly id: number;
  readonly startTime: string;
  readonly endTime: string;
  readonly status: string;
  readonly totalEntries: number;
  readonly outcome?: string | null;
  readonly voidReason?: string | null;
  readonly crowd?: {
    readonly n: number;
    readonly answers: readonly { readonly answer: string; readonly n: number }[];
  } | null;
}

/** Rounds, each a link to its page, with how it ended. */
export function RoundList({ rounds }: { readonly rounds: readonly ListedRound[] }) {
  return (
    <ol class="round-list">
      {rounds.map((round) => (
        <li key={round.id}>
          <a href={roundPath(round.id)}>
            <span class="when">
              {day(round.startTime)} · {clockTime(round.startTime)}–{clockTime(round.endTime)}
              <span class="type">{typeName(round.questionType)}</span>
            </span>
            <span class="question">{plainQuestion(round)}</span>
            <Ended round={round} />
          </a>
        </li>
      ))}
    </ol>
  );
}

/** A question type in words: `beat market`. */
export function typeName(questionType: string): string {
  return questionType.replaceAll('_', ' ');
}

type Answered = Pick<ListedRound, 'outcome' | 'crowd' | 'totalEntries'>;

/** Of those that answered by themselves, how many were right. */
export function rightShare({ outcome, crowd }: Answered): string {
  return percent((crowd?.answers.find(({ answer }) => answer === outcome)?.n ?? 0) / (crowd?.n || 1));
}

/** How many answered by themselves, which shares are shares of. */
export function answered({ crowd, totalEntries }: Answered, one = 'prediction', many?: string): string {
  return counted(crowd?.n ?? totalEntries, one, many);
}

/** What was answered beside them by standing answers, if anything. */
export function standingNote({ crowd, totalEntries }: Answered): string {
  const standing = totalEntries - (crowd?.n ?? totalEntries);
  return standing > 0 ? `, and ${whole(standing)} by standing answers` : '';
}

const VOID_WORDS: Readonly<Record<string, string>> = {
  no_prices: 'no usable prices',
  sources_disagree: 'sources disagreed',
  tie: 'a tie',
  admin: 'by an operator',
};

/** Why a round has no outcome, in words. */
export function voidWords(reason: string | null | undefined): string {
  return VOID_WORDS[reason ?? ''] ?? 'no outcome';
}

function Ended({ round }: { readonly round: ListedRound }) {
  const { status, outcome, crowd } = round;
  if (outcome != null) {
    return (
      <span class="ended">
        <b class="outcome">{outcome}</b>
        <span>
          {(crowd?.n ?? 0) > 0 && `${rightShare(round)} right of `}
          {answered(round)}
          {standingNote(round)}
        </span>
      </span>
    );
  }
  const word =
    status === 'void' ? `void: ${voidWords(round.voidReason)}` : status === 'resolving' ? 'being decided' : status;
  return (
    <span class="ended">
      <b class={`outcome open ${status}`}>{word}</b>
      <span>
        {answered(round)}
        {standingNote(round)}
      </span>
    </span>
  );
}
