import { agentPath, type Route } from '../addresses.ts';
import { AgentCard, type AgentCardQuery } from '../documents/card.ts';
import { agentTitle } from '../titles.ts';
import { useAnswer, useHappenings } from '../answers.ts';
import { LineChart } from '../charts/line-chart.tsx';
import { whole } from '../figures.ts';
import { EmbedFrame } from '../parts/embed-frame.tsx';
import { Missing } from '../parts/notes.tsx';
import { agentFigures, Figures, Tier } from '../parts/tables.tsx';
import { useTitle } from '../navigation.ts';

/** For a frame of another site. */
export function Page({ route: { id } }: { readonly route: Route }) {
  const { data, error, refresh } = useAnswer(AgentCard, { id });
  useTitle(data?.agent ? agentTitle(data.agent) : null);
  useHappenings(refresh);
  return (
    <EmbedFrame error={error} again={refresh}>
      {data && (data.agent ? <Card agent={data.agent} /> : <Missing what="agent" />)}
    </EmbedFrame>
  );
}

function Card({ agent }: { readonly agent: NonNullable<AgentCardQuery['agent']> }) {
  const { id, name, credentialTier, pointsHistory } = agent;
  return (
    <>
      <h1>
        <a href={agentPath(id)}>{name}</a> <Tier tier={credentialTier} />
      </h1>
      <Figures of={agentFigures(agent)} />
      {pointsHistory.length > 0 && <LineChart points={pointsHistory} name="Points" text={whole} />}
    </>
  );
}
