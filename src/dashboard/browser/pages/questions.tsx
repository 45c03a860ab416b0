import { QUESTION_TYPES } from '../../../rules/questions/question.ts';
import { Questions, type QuestionsQuery } from '../../documents/questions.ts';
import { roundsPath } from '../../round-filters.ts';
import { useAnswer } from '../answers.ts';
import { clockTime, counted, percent } from '../figures.ts';
import { Failed, Loading } from '../parts/notes.tsx';
import { typeName } from '../parts/round-list.tsx';
import { recordOf, TYPE_RULES } from '../question-types.ts';

/** The kinds of question, what decides them and how they went. */
export function QuestionsPage() {
  const { data, error, refresh } = useAnswer(Questions, {});
  return (
    <div class="page">
      <h1>Questions</h1>
      <p class="lead">
        Thirteen kinds of question rotate over the hours and the eight assets. Thresholds are set from the last seven
        days, so that both answers are about equally likely.
      </p>
      {data === null ? (
        error === null ? (
          <Loading />
        ) : (
          <Failed error={error} again={refresh} />
        )
      ) : (
        <Types answer={data} />
      )}
    </div>
  );
}

function Types({ answer: { rounds, schedule } }: { readonly answer: QuestionsQuery }) {
  return (
    <>
      <p class="fine">Figures over the last {counted(rounds.nodes.length, 'decided round')}.</p>
      <div class="question-types">
        {QUESTION_TYPES.map((type) => {
          const { rounds: n, firstShare, rightShare } = recordOf(type, rounds.nodes);
          const next = schedule.find(({ questionType }) => questionType === type);
          const isYes = rounds.nodes.some(({ questionType, choices }) => questionType === type && choices[0] === 'YES');
          return (
            <section class="panel question-type" key={type} aria-labelledby={type}>
              <h2 id={type}>{typeName(type)}</h2>
              <p>{TYPE_RULES[type]}</p>
              <dl class="figures small">
                <div>
                  <dt>Rounds</dt>
                  <dd>{n}</dd>
                </div>
                <div>
                  <dt>{isYes ? 'Ended YES' : 'First choice won'}</dt>
                  <dd>{firstShare === null ? '–' : percent(firstShare)}</dd>
                </div>
                <div>
                  <dt>Right</dt>
                  <dd>{rightShare === null ? '–' : percent(rightShare)}</dd>
                </div>
              </dl>
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
