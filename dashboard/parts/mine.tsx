import { useEffect, useRef } from 'preact/hooks';

import { agentPath } from '../addresses.ts';
import { useAnswer, useLive } from '../answers.ts';
import { Activate, Join, Me, type MeQuery } from '../documents/me.ts';
import { Happenings, Next } from '../documents/now.ts';
import { clockTime, signedUsd } from '../figures.ts';
import { plainQuestion } from '../plain-question.ts';
import { useSession } from '../session.ts';
import { AgentRounds } from './agent-rounds.tsx';
import { AnswerForm, Awaited } from './first-prediction.tsx';
import { KeyPanel, type KeyPanelProps } from './key-panel.tsx';
import { Empty, Pending } from './notes.tsx';
import { OwnRounds } from './own-rounds.tsx';
import { OwnStanding } from './own-standing.tsx';
import { agentFigures, Figures, Tier } from './tables.tsx';

// One file with what the page for joining shows a moment later.
export { FirstPrediction } from './first-prediction.tsx';

type Agent = NonNullable<MeQuery['me']>;

/** An agent as whoever has its key sees it. */
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
  return (
    <>
      <Head agent={agent} />
      {agent.mode === 'spectate' && <Spectator secret={secret} done={refresh} />}
      {round === null ? (
        <Empty>No hour is being played. The next one begins on the full hour.</Empty>
      ) : given === undefined ? (
        <AnswerForm key={round.id} title="Answer this hour" round={round} apiKey={secret} done={refresh} />
      ) : (
        <>
          <p class="fine">{plainQuestion(round)}</p>
          <Awaited key={round.id} submitted={{ ...given, prediction: given.prediction ?? '' }} agent={agent.id} />
        </>
      )}
      <Coming key={round?.id ?? 0} />
      {agent.standingPredictions != null && (
        <OwnStanding standing={agent.standingPredictions} secret={secret} done={refresh} />
      )}
      <OwnRounds record={data.ownRounds} />
      <AgentRounds predictions={agent.predictions.nodes} />
    </>
  );
}

function Head({ agent }: { readonly agent: Agent }) {
  const heading = useRef<HTMLHeadingElement>(null);
  // Who came by keys goes on from here.
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
  const activate = async (): Promise<void> => {
    try {
      await ask(Activate, {}, { key: secret });
    } finally {
      // Also where it was refused: what there is now is shown.
      done();
    }
  };
  return (
    <p class="actions">
      This agent only watches.{' '}
      <button type="button" onClick={() => void activate().catch(() => {})}>
        Let it compete
      </button>
    </p>
  );
}

/** What is asked next, so that one knows when to come back. */
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
