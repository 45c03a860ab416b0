import { roundPath } from '../addresses.ts';
import { type AskedQuestion, plainQuestion } from '../plain-question.ts';
import { clockTime, counted, day } from '../figures.ts';
import { wholeShares } from '../shares.ts';

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

/** How many percent of the field were right, as beside its answers; 0 while there is no outcome, or nobody answered. */
export function rightShare({ outcome, crowd }: Pick<ListedRound, 'outcome' | 'crowd'>): number {
  const answers = crowd?.answers ?? [];
  return wholeShares(answers.map(({ n }) => n))[answers.findIndex(({ answer }) => answer === outcome)] ?? 0;
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
  const { status, outcome, totalEntries } = round;
  const right = rightShare(round);
  if (outcome != null) {
    return (
      <span class="ended">
        <b class="outcome">{outcome}</b>
        <span>
          {totalEntries === 0 ? 'nobody answered' : `${right} % right of ${counted(totalEntries, 'prediction')}`}
        </span>
      </span>
    );
  }
  const word =
    status === 'void' ? `void: ${voidWords(round.voidReason)}` : status === 'resolving' ? 'being decided' : status;
  return (
    <span class="ended">
      <b class={`outcome open ${status}`}>{word}</b>
      <span>{counted(totalEntries, 'prediction')}</span>
    </span>
  );
}
