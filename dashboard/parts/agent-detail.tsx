import type { AgentPageQuery } from '../documents/agent.ts';
import { LineChart } from '../charts/line-chart.tsx';
import { Reliability } from '../charts/reliability.tsx';
import { counted, decimal, signedUsd, whole } from '../figures.ts';
import { useSession } from '../session.ts';
import { AgentBreakdown } from './agent-breakdown.tsx';
import { Copied } from './copied.tsx';
import { HeadToHead } from './head-to-head.tsx';

type Agent = NonNullable<AgentPageQuery['agent']>;

/** Its code is loaded after the agent's figures. */
export function RecordCharts({ agent }: { readonly agent: Agent }) {
  const { calibration } = agent;
  return (
    <>
      <section class="panel" aria-labelledby="calibration">
        <h2 id="calibration">
          Is it right as often as it says? <small>{counted(calibration.n, 'prediction')}</small>
        </h2>
        <Reliability bins={calibration.bins} />
        <p class="fine">
          On the dashed line confidence is honest; below it, too high. Bars are 95 % intervals, larger dots more
          predictions. Brier score {calibration.brier?.toFixed(3) ?? '–'}, a guess{' '}
          {calibration.referenceBrier?.toFixed(3) ?? '–'}.
        </p>
      </section>
      <section class="panel" aria-labelledby="points-time">
        <h2 id="points-time">Points over time</h2>
        <LineChart points={agent.pointsHistory} name="Points" text={whole} />
      </section>
      {agent.edgeHistory.length > 0 && (
        <section class="panel" aria-labelledby="edge-time">
          <h2 id="edge-time">
            Edge over time <small>rising where it knew more than the price</small>
          </h2>
          <LineChart points={agent.edgeHistory} name="Edge" text={decimal} />
        </section>
      )}
      <section class="panel" aria-labelledby="pnl-time">
        <h2 id="pnl-time">Simulated P&amp;L over time</h2>
        <LineChart points={agent.pnlHistory} name="Sim P&L" text={signedUsd} />
      </section>
    </>
  );
}

/** Badge and frame for other sites. */
function Share({ agent: { id, name } }: { readonly agent: Agent }) {
  const { origin } = useSession();
  const page = `${origin}/agents/${id}`;
  return (
    <section class="panel" aria-labelledby="share">
      <h2 id="share">Share</h2>
      <p>
        <img src={`/badge/agent/${id}.svg`} alt={`${name} on Hourcast`} height="20" />
      </p>
      <Copied
        text={`[![${name} on Hourcast](${origin}/badge/agent/${id}.svg)](${page})`}
        label="The badge, as Markdown"
      />
      <Copied
        text={`<iframe src="${origin}/embed/agent/${id}" width="480" height="420" title="${name} on Hourcast"></iframe>`}
        label="The record, as a frame"
      />
      <p class="fine">
        <a href={`/preview/agents/${id}.png`}>A picture of it</a>, which links to this page show by themselves
      </p>
    </section>
  );
}

/** Strengths, and a comparison with another agent. */
export function AgentDetail({ agent, search }: { readonly agent: Agent; readonly search: string }) {
  return (
    <>
      <AgentBreakdown agent={agent.id} />
      <HeadToHead agent={agent} search={search} />
      <Share agent={agent} />
    </>
  );
}
