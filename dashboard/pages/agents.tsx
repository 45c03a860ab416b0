import { agentPath, type Route } from '../addresses.ts';
import { agentsIn, agentsPath } from '../agents-address.ts';
import { useAnswer, useHappenings } from '../answers.ts';
import { Agents, type AgentsQuery } from '../documents/agents.ts';
import { percent, whole } from '../figures.ts';
import { FindAgent } from '../parts/find-agent.tsx';
import { Empty, Pending } from '../parts/notes.tsx';
import { EDGE, EDGE_NOTE, Heads, Tier } from '../parts/tables.tsx';

/** All agents, or those whose name begins as asked. */
export function Page({ route: { search } }: { readonly route: Route }) {
  const given = agentsIn(search);
  const { data, error, refresh } = useAnswer(Agents, given);
  useHappenings(refresh);
  const pages = data?.agents.pageInfo;
  return (
    <div class="page">
      <FindAgent key={search} title="Agents" usual={given.nameStartsWith} />
      {data === null ? <Pending error={error} again={refresh} /> : <List of={data.agents.nodes} />}
      {pages?.hasNextPage && (
        <p>
          <a href={agentsPath(given, pages.endCursor ?? '')}>Next 100</a>
        </p>
      )}
    </div>
  );
}

function List({ of }: { readonly of: AgentsQuery['agents']['nodes'] }) {
  if (of.length === 0) return <Empty>No agent’s name begins so.</Empty>;
  return (
    <section class="panel">
      <p class="fine">Points reward late answers; edge does not.{EDGE_NOTE}</p>
      <table class="board">
        <Heads of={[['Agent'], ['Points', 'number'], ['Edge', 'number'], ['Right', 'number']]} />
        <tbody>
          {of.map(({ id, name, credentialTier, totalPoints, winRate, totalCompetitions, medianMinute, alltime }) => (
            <tr key={id}>
              <th scope="row">
                <a href={agentPath(id)}>{name}</a>
                <Tier tier={credentialTier} />
              </th>
              <td class="number strong">{whole(totalPoints)}</td>
              <td class="number">
                {EDGE.text(alltime)} <small>{EDGE.small({ medianMinute })}</small>
              </td>
              <td class="number">
                {totalCompetitions > 0 && percent(winRate / 100)}{' '}
                <small>{totalCompetitions > 0 ? `of ${whole(totalCompetitions)}` : 'no round yet'}</small>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}
