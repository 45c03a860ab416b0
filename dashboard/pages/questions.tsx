import { QUESTION_TYPES, type QuestionType } from '../../src/rules/questions/question.ts';
import { Questions, type QuestionsQuery } from '../documents/questions.ts';
import { roundPath } from '../addresses.ts';
import { plainQuestion } from '../plain-question.ts';
import { roundsPath } from '../round-filters.ts';
import { useAnswer, useHappenings } from '../answers.ts';
import { clockTime, counted, percent } from '../figures.ts';
import { Pending } from '../parts/notes.tsx';
import { chosen, type Crowd } from '../answered.ts';
import { typeName } from '../parts/round-list.tsx';
import { Figures } from '../parts/tables.tsx';

export function Page() {
  const { data, error, refresh } = useAnswer(Questions, {});
  useHappenings(refresh, true);
  return (
    <div class="page">
      <h1>Questions</h1>
      <p class="lead">
        Thirteen kinds of question rotate over the hours and the eight assets. Thresholds are set from the last seven
        days, so that both answers are about equally likely.{' '}
        <a href="/api/schedule.ics">Add the hours to my calendar</a>
      </p>
      {data === null ? <Pending error={error} again={refresh} /> : <Types answer={data} />}
    </div>
  );
}

function Types({ answer: { rounds, schedule } }: { readonly answer: QuestionsQuery }) {
  return (
    <>
      <p class="fine">Figures over the last {counted(rounds.nodes.length, 'decided round')}.</p>
      <div class="question-types">
        {QUESTION_TYPES.map((type) => {
          const { rounds: n, firstShare, rightShare, difficulty } = recordOf(type, rounds.nodes);
          const example = rounds.nodes.find(({ questionType, outcome }) => questionType === type && outcome != null);
          const next = schedule.find(({ questionType }) => questionType === type);
          const isYes = rounds.nodes.some(({ questionType, choices }) => questionType === type && choices[0] === 'YES');
          return (
            <section class="panel question-type" key={type} aria-labelledby={type}>
              <h2 id={type}>{typeName(type)}</h2>
              <p>{TYPE_RULES[type]}</p>
              <Figures
                isSmall
                of={[
                  ['How often', n, `of ${rounds.nodes.length}`],
                  ...(isYes && firstShare !== null ? [['Ended YES', percent(firstShare)] as const] : []),
                  [
                    'Right',
                    rightShare === null ? '–' : percent(rightShare),
                    difficulty === null ? '' : `difficulty ${difficulty.toFixed(2)}, a coin 0.25`,
                  ],
                ]}
              />
              {example && (
                <p>
                  <a href={roundPath(example.id)}>{plainQuestion(example)}</a> <b class="outcome">{example.outcome}</b>
                </p>
              )}
              <p class="fine">
                {next
                  ? `Next at ${clockTime(next.startTime)} UTC about ${next.assets.length === 8 ? 'all eight' : next.assets.join(', ')}. `
                  : ''}
                <a href={roundsPath({ questionType: type })}>Its rounds</a>
              </p>
            </section>
          );
        })}
      </div>
    </>
  );
}

const TYPE_RULES: Readonly<Record<QuestionType, string>> = {
  relative: 'Two assets. The one with the higher return, close over open, is the answer.',
  best_performer: 'All eight assets. The one with the highest return is the answer.',
  worst_performer: 'All eight assets. The one with the lowest return is the answer.',
  podium: 'Four assets. The one with the highest return is the answer.',
  volatility: 'Two assets. The one with the wider range, (high − low) / open, is the answer.',
  direction: 'YES when the close is above the open; an unchanged price is a NO.',
  threshold: 'YES when the return reaches a threshold; exactly the threshold is a YES.',
  touch: 'YES when the high, or the low, touches a threshold at any time in the hour.',
  magnitude: 'YES when the return, up or down, is at least a threshold.',
  range: 'YES when high and low both stay within a band around the start, the edges included.',
  momentum: 'YES when the return has the same sign as in the hour before.',
  beat_market: 'YES when the return is above the mean return of all eight assets.',
  breadth: 'YES when at least so many of the eight assets have a return above 0.',
};

interface DecidedOfType {
  readonly questionType: QuestionType;
  readonly choices: readonly string[];
  readonly outcome?: string | null;
  readonly difficulty?: number | null;
  readonly crowd?: Crowd | null;
}

export function recordOf(type: QuestionType, rounds: readonly DecidedOfType[]) {
  const own = rounds.filter(({ questionType, outcome }) => questionType === type && outcome != null);
  const first = own.filter(({ outcome, choices }) => outcome === choices[0]).length;
  const answers = own.reduce((sum, { crowd }) => sum + (crowd?.n ?? 0), 0);
  const right = own.reduce((sum, { outcome, crowd }) => sum + chosen(crowd, outcome), 0);
  const difficulties = own.flatMap(({ difficulty }) => difficulty ?? []);
  return {
    rounds: own.length,
    /** The mean over rounds that have one; null without any. */
    difficulty:
      difficulties.length === 0 ? null : difficulties.reduce((sum, one) => sum + one, 0) / difficulties.length,
    /** The share of rounds that ended with the first choice, such as YES; null without rounds. */
    firstShare: own.length === 0 ? null : first / own.length,
    /** The share of right predictions; null without any. */
    rightShare: answers === 0 ? null : right / answers,
  };
}
