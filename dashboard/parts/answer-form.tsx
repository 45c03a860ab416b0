import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { agentPath, roundPath } from '../addresses.ts';
import { type MeQuery, Submit } from '../documents/me.ts';
import type { LiveRoundFragment } from '../documents/now.ts';
import { plainQuestion } from '../plain-question.ts';
import { clockTime, signed, signedUsd } from '../figures.ts';
import { focusHeading } from '../navigation.ts';
import { useSession } from '../session.ts';
import { Countdown } from './countdown.tsx';
import { Earnings, Slider } from './earnings.tsx';
import { FormEnd, useAttempt } from './form.tsx';

export type Given = NonNullable<MeQuery['me']>['predictions']['nodes'][number];

interface AnswerFormProps {
  readonly title: string;
  readonly round: LiveRoundFragment;
  readonly apiKey: string;
  readonly done: () => void;
}

/** The choices, with what each would earn. */
export function AnswerForm({ title, round, apiKey, done }: AnswerFormProps) {
  const { ask } = useSession();
  const [prediction, pick] = useState<string | null>(null);
  const [confidence, setConfidence] = useState(60);
  const submitting = useAttempt();
  const [idempotencyKey] = useState(newRequestKey);
  const submit = async (): Promise<void> => {
    if (prediction === null) return;
    // The same key each time, so that an answer whose response was lost is not submitted twice.
    const variables = {
      round: round.id,
      prediction,
      confidence,
      idempotencyKey: `${idempotencyKey}-${prediction}-${confidence}`,
    };
    await ask(Submit, variables, { key: apiKey });
    done();
    focusHeading();
  };
  return (
    <form
      class="panel answer-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submitting.attempt(submit);
      }}
    >
      <h2>{title}</h2>
      <p class="asked">{plainQuestion(round)}</p>
      <Countdown round={round} />
      <fieldset class="picks">
        <legend class="visually-hidden">Answer</legend>
        {round.choices.map((choice) => (
          <label key={choice}>
            <input
              type="radio"
              name="prediction"
              value={choice}
              checked={choice === prediction}
              onChange={() => pick(choice)}
              required
            />
            <span>{choice}</span>
          </label>
        ))}
      </fieldset>
      <Slider label="How sure?" value={confidence} set={setConfidence} />
      <Earnings confidence={confidence} choices={round.choices.length} />
      <FormEnd of={submitting} text="Submit" during="Submit" />
    </form>
  );
}

interface AwaitedProps {
  readonly given: Given;
  readonly agent: number;
  /** Below the result. */
  readonly children?: ComponentChildren;
}

/** An answer, and its result once the round is decided. */
export function Awaited({ given, agent, children }: AwaitedProps) {
  const { roundId, prediction, confidence, submittedAt, score, isCorrect, place, arenaPoints, pnlUsd, outcome } = given;
  return (
    <section class="panel awaited" aria-live="polite">
      <h2>{score == null ? 'Answer stored' : isCorrect === 1 ? 'Right!' : 'Wrong, this time'}</h2>
      <p>
        <b>{prediction}</b> at {confidence} %, accepted at {clockTime(submittedAt)} UTC in{' '}
        <a href={roundPath(roundId)}>round {roundId}</a>.
      </p>
      {score == null ? (
        <p>
          {given.round.status === 'void'
            ? 'The round is void: nobody’s totals move.'
            : 'It is scored here as soon as the hour is over and the market has decided.'}
        </p>
      ) : (
        <p class="verdict">
          <b class="outcome big">{outcome}</b>
          <span>
            {signed(score + (given.streakBonus ?? 0))} points, {signedUsd(pnlUsd ?? 0)} of simulated P&amp;L, place{' '}
            {place}
            {arenaPoints ? `, ${arenaPoints} arena points` : ''}. <a href={agentPath(agent)}>Your agent’s page</a>
          </span>
        </p>
      )}
      {children}
    </section>
  );
}

/** For a request that may be sent twice. */
function newRequestKey(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}
