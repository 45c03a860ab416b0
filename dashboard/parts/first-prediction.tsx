import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';

import { agentPath, roundPath } from '../addresses.ts';
import { type JoinQuery, type RegisterMutation, Scored, Submit, type SubmitMutation } from '../documents/me.ts';
import { Happenings } from '../documents/now.ts';
import { plainQuestion } from '../plain-question.ts';
import { useAnswer, useLive } from '../answers.ts';
import { clockTime, signed, signedUsd } from '../figures.ts';
import { newRequestKey } from '../machine.ts';
import { useSession } from '../session.ts';
import { Countdown } from './countdown.tsx';
import { Earnings, Slider } from './earnings.tsx';
import { FormEnd, useAttempt } from './form.tsx';
import { Empty } from './notes.tsx';

interface FirstPredictionProps {
  readonly round: JoinQuery['currentRound'] | null;
  readonly agent: RegisterMutation['register'];
}

/** The current round, to answer by hand, and the answer's result. */
export function FirstPrediction({ round, agent }: FirstPredictionProps) {
  const [submitted, setSubmitted] = useState<SubmitMutation['submitPrediction'] | null>(null);
  if (submitted !== null) return <Awaited submitted={submitted} agent={agent.agent.id} />;
  if (round === null) return <Empty>No hour is being played. The next one begins on the full hour.</Empty>;
  return (
    <AnswerForm key={round.id} title="Or answer by hand" round={round} apiKey={agent.apiKey} done={setSubmitted} />
  );
}

export type Submitted = Pick<
  SubmitMutation['submitPrediction'],
  'roundId' | 'prediction' | 'confidence' | 'submittedAt'
>;

interface AnswerFormProps {
  readonly title: string;
  readonly round: NonNullable<FirstPredictionProps['round']>;
  readonly apiKey: string;
  readonly done: (submitted: SubmitMutation['submitPrediction']) => void;
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
    done((await ask(Submit, variables, { key: apiKey })).submitPrediction);
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
      <Countdown to={round.endTime} label="left to answer" />
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
  readonly submitted: Submitted;
  readonly agent: number;
  /** Below the result. */
  readonly children?: ComponentChildren;
}

/** A submitted answer and its result. */
export function Awaited({ submitted, agent, children }: AwaitedProps) {
  const { data, refresh } = useAnswer(Scored, { round: submitted.roundId, agent });
  useLive(Happenings, {}, ({ events }) => {
    if (events.roundId === submitted.roundId) refresh();
  });
  const mine = data?.agent?.recentPredictions.find(({ roundId }) => roundId === submitted.roundId);
  const round = data?.round;
  return (
    <section class="panel awaited" aria-live="polite">
      <h2>{mine?.score == null ? 'Answer stored' : mine.isCorrect === 1 ? 'Right!' : 'Wrong, this time'}</h2>
      <p>
        <b>{submitted.prediction}</b> at {submitted.confidence} %, accepted at {clockTime(submitted.submittedAt)} UTC in{' '}
        <a href={roundPath(submitted.roundId)}>round {submitted.roundId}</a>.
      </p>
      {mine?.score == null ? (
        <p>
          {round?.status === 'void'
            ? 'The round is void: nobody’s totals move.'
            : 'It is scored here as soon as the hour is over and the market has decided.'}
        </p>
      ) : (
        <p class="verdict">
          <b class="outcome big">{round?.outcome}</b>
          <span>
            {signed(mine.score)} points, {signedUsd(mine.pnlUsd ?? 0)} of simulated P&amp;L, place {mine.place}
            {mine.arenaPoints ? `, ${mine.arenaPoints} arena points` : ''}.{' '}
            <a href={agentPath(agent)}>Your agent’s page</a>
          </span>
        </p>
      )}
      {children}
    </section>
  );
}
