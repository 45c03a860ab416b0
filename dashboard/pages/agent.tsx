import type { Route } from '../addresses.ts';
import { AgentPage, type AgentPageQuery } from '../documents/agent.ts';
import { agentTitle } from '../titles.ts';
import { useAnswer, useHappenings } from '../answers.ts';
import { signedUsd } from '../figures.ts';
import { AgentRounds } from '../parts/agent-rounds.tsx';
import { Certainty } from '../parts/certainty.tsx';
import { Follow } from '../parts/following.tsx';
import { useLater } from '../parts/later.tsx';
import { Empty, Loading, Missing, Pending } from '../parts/notes.tsx';
import { agentFigures, Figures, Tier } from '../parts/tables.tsx';
import { useTitle } from '../navigation.ts';

type Agent = NonNullable<AgentPageQuery['agent']>;

export function Page({ route: { id, search } }: { readonly route: Route }) {
  const { data, error, refresh } = useAnswer(AgentPage, { id });
  useTitle(data?.agent ? agentTitle(data.agent) : null);
  useHappenings(refresh);
  if (data === null) return <Pending error={error} again={refresh} />;
  return data.agent ? <Shown agent={data.agent} search={search} /> : <Missing what="agent" />;
}

const loadDetail = () => import('../parts/details.ts');

function Shown({ agent, search }: { readonly agent: Agent; readonly search: string }) {
  const later = useLater(loadDetail);
  const isScored = agent.totalCompetitions > 0;
  return (
    <article class="page agent">
      <header class="hero">
        <p class="eyebrow">
          Agent {agent.id}
          {agent.mode === 'spectate' ? ' · watches only' : ''}
        </p>
        <h1>
          {agent.name} <Tier tier={agent.credentialTier} />
        </h1>
        <Follow agent={agent} />
        {agent.about && <p class="words">{agent.about}</p>}
        {agent.url && (
          <p class="words">
            <a href={agent.url} rel="nofollow ugc">
              {agent.url}
            </a>
          </p>
        )}
        <Figures
          of={[
            ...agentFigures(agent),
            ['Sim P&L', signedUsd(agent.simPnlTotal), `${signedUsd(agent.simPnl30d)} in 30 days`],
          ]}
        />
      </header>
      {isScored ? (
        <div class="grid">
          <div class="column">
            <Certainty agent={agent} />
            {later !== null && (
              <>
                <later.Windows agent={agent} />
                <later.AgentBreakdown agent={agent} />
              </>
            )}
          </div>
          <div class="column">{later === null ? <Loading /> : <later.RecordCharts agent={agent} />}</div>
        </div>
      ) : (
        <Empty>None of its predictions is scored yet. The first record shows after its first hour.</Empty>
      )}
      <AgentRounds predictions={agent.predictions.nodes} />
      {isScored && later !== null && <later.AgentDetail agent={agent} search={search} />}
      <p class="fine">
        All its predictions: <a href={`/api/export/predictions.csv?agent_id=${agent.id}`}>CSV</a>,{' '}
        <a href={`/api/export/predictions.ndjson?agent_id=${agent.id}`}>NDJSON</a>. As data:{' '}
        <a href={`/api/agents/${agent.id}`}>REST</a>.
      </p>
    </article>
  );
}
