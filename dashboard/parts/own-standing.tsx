import { ASSETS } from '../../src/rules/assets.ts';
import { QUESTION_TYPES } from '../../src/rules/questions/question.ts';
import { type MeQuery, SetStanding, type StandingPredictionInput as Row } from '../documents/me.ts';
import { day } from '../figures.ts';
import { filtersIn } from '../round-filters.ts';
import { useSession } from '../session.ts';
import { Choice } from './choice.tsx';
import { FormEnd, useAttempt } from './form.tsx';
import { typeName } from './round-list.tsx';

type Standing = NonNullable<NonNullable<MeQuery['me']>['standingPredictions']>;

interface OwnStandingProps {
  readonly standing: Standing;
  readonly secret: string;
  readonly done: () => void;
}

/** Default answers of an agent: shown, added and ended. */
export function OwnStanding({ standing: { rows, lapsesAt }, secret, done }: OwnStandingProps) {
  const { ask } = useSession();
  const setting = useAttempt();
  const set = (next: readonly Row[]): void =>
    void setting.attempt(async () => {
      await ask(SetStanding, { rows: next }, { key: secret });
      done();
    });
  const add = (form: HTMLFormElement): void => {
    const fields = new FormData(form);
    const text = (name: string): string => {
      const value = fields.get(name);
      return typeof value === 'string' ? value : '';
    };
    const { questionType = QUESTION_TYPES[0], asset = null } = filtersIn(fields);
    const prediction = text('answer')
      .toUpperCase()
      .split(/[\s,]+/)
      .filter(Boolean);
    const others = rows.filter((one) => one.questionType !== questionType || (one.asset ?? null) !== asset);
    set([...others, { questionType, asset, prediction, confidence: Number(text('confidence')) }]);
  };
  return (
    <section class="panel" aria-labelledby="own-standing">
      <h2 id="own-standing">
        Standing answers <small>{lapsesAt != null && `until ${day(lapsesAt)}, and 7 days after each request`}</small>
      </h2>
      <p class="fine">Given 10 minutes before an hour closes, where the agent has not answered by itself.</p>
      <ul>
        {rows.map((row) => (
          <li key={row.questionType + row.asset}>
            {typeName(row.questionType)} {row.asset}: {row.prediction.join(', ')} at {row.confidence} %{' '}
            <button type="button" onClick={() => set(rows.filter((one) => one !== row))}>
              End
            </button>
          </li>
        ))}
      </ul>
      <form
        class="filters"
        onSubmit={(event) => {
          event.preventDefault();
          add(event.currentTarget);
        }}
      >
        <Choice name="type" label="Question" options={QUESTION_TYPES} must />
        <Choice name="asset" label="Asset" options={ASSETS} />
        <label>
          <span>Answer: YES, NO, or assets, the best first</span>
          <input name="answer" size={10} required />
        </label>
        <label>
          <span>Confidence, percent</span>
          <input name="confidence" inputmode="numeric" pattern="\d{1,3}" size={3} required />
        </label>
        <FormEnd of={setting} text="Let it stand" during="Setting …" />
      </form>
    </section>
  );
}
