import { useEffect, useState } from 'preact/hooks';

import { agentPath } from '../addresses.ts';
import { useAnswer, useHappenings } from '../answers.ts';
import { Activate, Me, type MeQuery } from '../documents/me.ts';
import { Now, type NowQuery } from '../documents/now.ts';
import { clockTime, signedUsd } from '../figures.ts';
import { keep, kept } from '../machine.ts';
import { focusHeading } from '../navigation.ts';
import { HourSoFar, useHour, useMarket } from '../pages/now.tsx';
import { plainQuestion } from '../plain-question.ts';
import { useSession } from '../session.ts';
import { AgentRounds } from './agent-rounds.tsx';
import { AnswerForm, Awaited, type Given } from './answer-form.tsx';
import { FormEnd, useAttempt } from './form.tsx';
import { KeyPanel, type KeyPanelProps } from './key-panel.tsx';
import { Empty, Pending } from './notes.tsx';
import { OwnRounds } from './own-rounds.tsx';
import { OwnStanding } from './own-standing.tsx';
import { agentFigures, Figures, Tier } from './tables.tsx';

type Agent = NonNullable<MeQuery['me']>;

/** An agent's private view. */
export function Mine(props: KeyPanelProps) {
  return (
    <>
      <Playing secret={props.kept.key} />
      <KeyPanel {...props} />
    </>
  );
}

interface PlayingProps {
  readonly secret: string;
  /** True right after the registration: the hour alone. */
  readonly isFirst?: boolean;
}

export function Playing({ secret, isFirst = false }: PlayingProps) {
  const { data, error, refresh } = useAnswer(Me, {}, { secret });
  const { data: now, error: nowError, refresh: refreshNow } = useAnswer(Now, {});
  const again = (): void => {
    refresh();
    refreshNow();
  };
  useHappenings(again, true);
  const agent = data?.me;
  if (data === null || agent == null || now === null) return <Pending error={error ?? nowError} again={again} />;
  const hour = <Hour now={now} agent={agent} secret={secret} done={refresh} isFirst={isFirst} />;
  if (isFirst) return hour;
  return (
    <>
      <Head agent={agent} />
      {agent.mode === 'spectate' && <Spectator secret={secret} done={refresh} />}
      {hour}
      <OwnRounds record={data.ownRounds} since={agent.registeredAt ?? ''} />
      <AgentRounds predictions={agent.predictions.nodes} />
    </>
  );
}

interface HourProps extends Required<PlayingProps> {
  readonly now: NowQuery;
  readonly agent: Agent;
  readonly done: () => void;
}

/** The last result, then the form or the answer beside the hour so far. */
function Hour({ now, agent, secret, done, isFirst }: HourProps) {
  const { round, entries } = useHour(now);
  const market = useMarket();
  const next = now.nextRound;
  const { id, predictions, standingPredictions: standing } = agent;
  const given = predictions.nodes.find(({ roundId }) => roundId === round?.id);
  const last = predictions.nodes.find(({ roundId }) => roundId !== round?.id);
  return (
    <>
      {last && <Last given={last} agent={id} />}
      <div class="grid">
        <div class="column">
          {given ? (
            <Awaited given={given} agent={id} />
          ) : round?.status === 'active' ? (
            <AnswerForm
              key={round.id}
              title={isFirst ? 'Or answer by hand' : 'Answer this hour'}
              round={round}
              apiKey={secret}
              done={done}
            />
          ) : (
            <Empty>
              {round?.status === 'resolving'
                ? 'The hour is being decided.'
                : 'No hour is being played. The next one begins on the full hour.'}
            </Empty>
          )}
          {next && (
            <p class="fine">
              Next at {clockTime(next.startTime)} UTC: {plainQuestion(next)}
            </p>
          )}
          {!isFirst && standing && <OwnStanding standing={standing} secret={secret} done={done} />}
        </div>
        {round && (
          <section class="panel" aria-label="The hour so far">
            {given && <p class="asked">{plainQuestion(round)}</p>}
            <HourSoFar hour={{ round, entries }} market={market} />
          </section>
        )}
      </div>
    </>
  );
}

const SEEN = 'seen-result';

/** The last answer before this hour's, until its result was seen; an amended one is new. */
function Last({ given, agent }: { readonly given: Given; readonly agent: number }) {
  const result = `${given.id} ${given.outcome}`;
  const [seen, setSeen] = useState(kept(SEEN));
  if (seen === result) return null;
  const dismiss = (): void => {
    keep(SEEN, result);
    setSeen(result);
    focusHeading();
  };
  return (
    <Awaited given={given} agent={agent}>
      {(given.score != null || given.round.status === 'void') && (
        <button type="button" onClick={dismiss}>
          Got it
        </button>
      )}
    </Awaited>
  );
}

function Head({ agent }: { readonly agent: Agent }) {
  useEffect(() => void focusHeading(), []);
  const { id, name, credentialTier } = agent;
  return (
    <header class="hero">
      <p class="eyebrow">
        Signed in · <a href={agentPath(id)}>its public page</a>
      </p>
      <h1>
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
    focusHeading();
  };
  return (
    <div class="actions">
      This agent only watches. <FormEnd of={activating} act={activate} text="Let it compete" />
    </div>
  );
}
