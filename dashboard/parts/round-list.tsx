import type { ComponentChildren } from 'preact';

import { roundPath } from '../addresses.ts';
import { type AskedQuestion, plainQuestion } from '../plain-question.ts';
import { answered, type Crowd, rightShare, standingNote } from '../answered.ts';
import { clockTime, day } from '../figures.ts';

export interface ListedRound extends AskedQuestion {
  readonly id: number;
  readonly startTime: string;
  readonly endTime: string;
  readonly status: string;
  readonly totalEntries: number;
  readonly outcome?: string | null;
  readonly voidReason?: string | null;
  readonly crowd?: Crowd | null;
}

interface RoundListProps {
  readonly rounds: readonly ListedRound[];
  /** Beside a round's question. */
  readonly mark?: (round: ListedRound) => ComponentChildren;
}

export function RoundList({ rounds, mark }: RoundListProps) {
  return (
    <ol class="round-list">
      {rounds.map((round) => (
        <li key={round.id}>
          <a href={roundPath(round.id)}>
            <span class="when">
              <span class="day">{day(round.startTime)} · </span>
              {clockTime(round.startTime)}–{clockTime(round.endTime)}
              <span class="type">{typeName(round.questionType)}</span>
            </span>
            <span class="question">
              {plainQuestion(round)}
              {mark?.(round)}
            </span>
            <Ended round={round} />
          </a>
        </li>
      ))}
    </ol>
  );
}

/** `beat market`. */
export function typeName(questionType: string): string {
  return questionType.replaceAll('_', ' ');
}

const VOID_WORDS: Readonly<Record<string, string>> = {
  no_prices: 'no usable prices',
  sources_disagree: 'sources disagreed',
  tie: 'a tie',
  admin: 'by an operator',
};

export function voidWords(reason: string | null | undefined): string {
  return VOID_WORDS[reason ?? ''] ?? 'no outcome';
}

/** The outcome or state, and the share of right answers. */
export function Ended({ round }: { readonly round: ListedRound }) {
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
