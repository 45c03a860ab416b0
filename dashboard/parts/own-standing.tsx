import { useState } from 'preact/hooks';

import { type MeQuery, SetStanding, type StandingPredictionInput as Row } from '../documents/me.ts';
import { day } from '../figures.ts';
import { focusHeading } from '../navigation.ts';
import { ASSETS, QUESTION_TYPES } from '../round-filters.ts';
import { useSession } from '../session.ts';
import { Slider } from './earnings.tsx';
import { FormEnd, useAttempt } from './form.tsx';
import { typeName } from './round-list.tsx';

type Standing = NonNullable<NonNullable<MeQuery['me']>['standingPredictions']>;

/** The answers are assets; the others are answered by YES or NO. */
const WHICH_ASSET = ['relative', 'best_performer', 'worst_performer', 'podium', 'volatility'];
/** YES or NO about all assets together. */
const ABOUT_ALL = 'breadth';

interface OwnStandingProps {
  readonly standing: Standing;
  readonly secret: string;
  readonly done: () => void;
}

/** Default answers of an agent: shown, added and ended. */
export function OwnStanding({ standing: { rows, lapsesAt }, secret, done }: OwnStandingProps) {
  const { ask } = useSession();
  const setting = useAttempt();
  const [questionType, setType] = useState<(typeof QUESTION_TYPES)[number]>('direction');
  const [asset, setAsset] = useState<(typeof ASSETS)[number] | null>(null);
  const [prediction, setPrediction] = useState<readonly string[]>([]);
  const [confidence, setConfidence] = useState(60);
  const isWhich = WHICH_ASSET.includes(questionType);
  const hasAsset = !isWhich && questionType !== ABOUT_ALL;
  const set = (next: readonly Row[]): Promise<void> =>
    setting.attempt(async () => {
      if (next.some((row) => row.prediction.length === 0)) throw new Error('Choose an answer first.');
      await ask(SetStanding, { rows: next }, { key: secret });
      done();
    });
  const add = (): void => {
    const row = { questionType, asset: hasAsset ? asset : null, prediction, confidence };
    const others = rows.filter((one) => one.questionType !== questionType || (one.asset ?? null) !== row.asset);
    void set([...others, row]);
  };
  const choose = (choice: string): void => {
    const others = prediction.filter((one) => one !== choice);
    setPrediction(!isWhich ? [choice] : others.length < prediction.length ? others : [...others, choice]);
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
            <button
              type="button"
              onClick={() => void set(rows.filter((one) => one !== row)).then(() => focusHeading())}
              aria-label={`End the answer to ${typeName(row.questionType)} ${row.asset ?? ''}`}
            >
              End
            </button>
          </li>
        ))}
      </ul>
      <form
        class="answer-form"
        onSubmit={(event) => {
          event.preventDefault();
          add();
        }}
      >
        <div class="filters">
          <label>
            <span>Question</span>
            <select
              name="type"
              onChange={(event) => {
                setType(QUESTION_TYPES[event.currentTarget.selectedIndex] ?? questionType);
                setPrediction([]);
              }}
            >
              {QUESTION_TYPES.map((one) => (
                <option value={one} selected={one === questionType}>
                  {typeName(one)}
                </option>
              ))}
            </select>
          </label>
          {hasAsset && (
            <label>
              <span>Asset</span>
              <select
                name="asset"
                onChange={(event) => setAsset(ASSETS[event.currentTarget.selectedIndex - 1] ?? null)}
              >
                {['any', ...ASSETS].map((one) => (
                  <option selected={one === asset}>{one}</option>
                ))}
              </select>
            </label>
          )}
        </div>
        <fieldset class="picks" key={questionType}>
          <legend class="fine">{isWhich ? 'Assets, the best first' : 'Answer'}</legend>
          {(isWhich ? ASSETS : ['YES', 'NO']).map((choice) => (
            <label>
              <input
                type={isWhich ? 'checkbox' : 'radio'}
                name="standing"
                checked={prediction.includes(choice)}
                onChange={() => choose(choice)}
              />
              <span>
                {isWhich && prediction.includes(choice) && `${prediction.indexOf(choice) + 1}. `}
                {choice}
              </span>
            </label>
          ))}
        </fieldset>
        <Slider label="How sure?" value={confidence} set={setConfidence} />
        <FormEnd of={setting} text="Set this answer" during="Setting …" />
      </form>
    </section>
  );
}
