import type { AgentPageQuery } from '../documents/agent.ts';
import { LineChart } from '../charts/line-chart.tsx';
import { Reliability } from '../charts/reliability.tsx';
import { counted, decimal, signed, signedUsd, whole } from '../figures.ts';
import { useSession } from '../session.ts';
import { Copied, FrameCode } from './copied.tsx';
import { HeadToHead } from './head-to-head.tsx';
import { Heads, Scroll } from './tables.tsx';

// One file for all that the page of an agent loads later.
export { AgentBreakdown } from './agent-breakdown.tsx';

type Agent = NonNullable<AgentPageQuery['agent']>;

/** Its code is loaded after the agent's figures. */
export function RecordCharts({ agent }: { readonly agent: Agent }) {
  const { calibration } = agent;
  const charts = [
    ['Points', agent.pointsHistory, whole, ''],
    ['Edge', agent.edgeHistory, decimal, 'rising where it knew more than the price'],
    ['Sim P&L', agent.pnlHistory, signedUsd, ''],
  ] as const;
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
      {charts.map(
        ([name, points, text, small], index) =>
          points.length > 0 && (
            <section class="panel" aria-labelledby={`time-${index}`} key={name}>
              <h2 id={`time-${index}`}>
                {name} over time <small>{small}</small>
              </h2>
              <LineChart points={points} name={name} text={text} />
            </section>
          ),
      )}
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
      <FrameCode path={`/embed/agent/${id}`} height={620} title={`${name} on Hourcast`} />
      <p class="fine">
        <a href={`/preview/agents/${id}.png`}>A picture of it</a>, which links to this page show by themselves
      </p>
    </section>
  );
}

/** A comparison with another agent, and what other sites may show. */
export function AgentDetail({ agent, search }: { readonly agent: Agent; readonly search: string }) {
  return (
    <>
      <HeadToHead agent={agent} search={search} />
      <Share agent={agent} />
    </>
  );
}

const WINDOWS = [
  ['daily', 'Day'],
  ['weekly', 'Week'],
  ['monthly', 'Month'],
  ['alltime', 'All time'],
] as const;

export function Windows({ agent }: { readonly agent: Agent }) {
  return (
    <section class="panel" aria-labelledby="windows">
      <h2 id="windows">By window</h2>
      <Scroll label="Table: by window">
        <table>
          <Heads
            of={[['Window'], ['Rank', 'number'], ['Points', 'number'], ['Right', 'number'], ['Sim P&L', 'number']]}
          />
          <tbody>
            {WINDOWS.map(([name, text]) => {
              const { rank, totalPoints, totalWins, totalCompetitions, simPnlTotal } = agent[name];
              return (
                <tr key={name}>
                  <th scope="row">{text}</th>
                  <td class="number">{rank ?? '–'}</td>
                  <td class="number strong">{signed(totalPoints)}</td>
                  <td class="number">
                    {totalWins} <small>of {totalCompetitions}</small>
                  </td>
                  <td class="number">{signedUsd(simPnlTotal)}</td>
                </tr>
              );
            })}
          </tbody>
        </table>
      </Scroll>
    </section>
  );
}
