import { useEffect, useRef, useState } from 'preact/hooks';

import { agentPath } from '../addresses.ts';
import { useAnswer, useLive } from '../answers.ts';
import { Activate, Join, Me, type MeQuery } from '../documents/me.ts';
import { Happenings, Next } from '../documents/now.ts';
import { clockTime, signedUsd } from '../figures.ts';
import { keep, kept } from '../machine.ts';
import { plainQuestion } from '../plain-question.ts';
import { useSession } from '../session.ts';
import { AgentRounds } from './agent-rounds.tsx';
import { AnswerForm, Awaited } from './first-prediction.tsx';
import { FormEnd, useAttempt } from './form.tsx';
import { KeyPanel, type KeyPanelProps } from './key-panel.tsx';
import { Empty, Pending } from './notes.tsx';
import { OwnRounds } from './own-rounds.tsx';
import { OwnStanding } from './own-standing.tsx';
import { agentFigures, Figures, Tier } from './tables.tsx';

// One file for all that the page for joining loads later.
export { FirstPrediction } from './first-prediction.tsx';

type Agent = NonNullable<MeQuery['me']>;
type Given = Agent['predictions']['nodes'][number];

/** An agent's private view. */
export function Mine(props: KeyPanelProps) {
  return (
    <>
      <Playing secret={props.kept.key} />
      <KeyPanel {...props} />
    </>
  );
}

function Playing({ secret }: { readonly secret: string }) {
  const { data, error, refresh } = useAnswer(Me, {}, { secret });
  const { data: asked, refresh: askAgain } = useAnswer(Join, {});
  useLive(Happenings, {}, () => {
    refresh();
    askAgain();
  });
  const agent = data?.me;
  if (data === null || agent == null) return <Pending error={error} again={refresh} />;
  const round = asked?.currentRound ?? null;
  const given = agent.predictions.nodes.find(({ roundId }) => roundId === round?.id);
  const last = agent.predictions.nodes.find(({ roundId }) => roundId !== round?.id);
  return (
    <>
      <Head agent={agent} />
      {agent.mode === 'spectate' && <Spectator secret={secret} done={refresh} />}
      {last !== undefined && <Last key={last.roundId} given={last} agent={agent.id} />}
      {round === null ? (
        <Empty>No hour is being played. The next one begins on the full hour.</Empty>
      ) : given === undefined ? (
        <AnswerForm key={round.id} title="Answer this hour" round={round} apiKey={secret} done={refresh} />
      ) : (
        <>
          <p class="fine">{plainQuestion(round)}</p>
          <Awaited key={round.id} submitted={given} agent={agent.id} />
        </>
      )}
      <Coming key={round?.id ?? 0} />
      {agent.standingPredictions != null && (
        <OwnStanding standing={agent.standingPredictions} secret={secret} done={refresh} />
      )}
      <OwnRounds record={data.ownRounds} since={agent.registeredAt ?? ''} />
      <AgentRounds predictions={agent.predictions.nodes} />
    </>
  );
}

const SEEN = 'seen-result';

interface LastProps {
  readonly given: Given;
  readonly agent: number;
}

/** The result of the last answer before this hour's, until it was seen. */
function Last({ given, agent }: LastProps) {
  const [isSeen, setSeen] = useState(kept(SEEN) === String(given.id));
  if (isSeen) return null;
  const dismiss = (): void => {
    keep(SEEN, String(given.id));
    setSeen(true);
  };
  return (
    <Awaited submitted={given} agent={agent}>
      <button type="button" onClick={dismiss}>
        Got it
      </button>
    </Awaited>
  );
}

function Head({ agent }: { readonly agent: Agent }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // Keyboard users continue here.
  useEffect(() => heading.current?.focus(), []);
  const { id, name, credentialTier } = agent;
  return (
    <header class="hero">
      <p class="eyebrow">
        Signed in · <a href={agentPath(id)}>its public page</a>
      </p>
      <h1 ref={heading} tabIndex={-1}>
        {name} <Tier tier={credentialTier} />
      </h1>
      <Figures of={[...agentFigures(agent), ['Sim P&L', signedUsd(agent.simPnlTotal)]]} />
    </header>
  );
}

function Spectator({ secret, done }: { readonly secret: string; readonly done: () => void }) {
  const { ask } = useSession();
  const activating = useAttempt();
  const activate = async (): Promise<void> => {
    await ask(Activate, {}, { key: secret });
    done();
  };
  return (
    <div class="actions">
      This agent only watches. <FormEnd of={activating} act={activate} text="Let it compete" />
    </div>
  );
}

/** The next question and its start. */
function Coming() {
  const { data } = useAnswer(Next, {});
  const next = data?.nextRound;
  if (next == null) return null;
  return (
    <p class="fine">
      Next at {clockTime(next.startTime)} UTC: {plainQuestion(next)}
    </p>
  );
}
