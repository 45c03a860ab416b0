import { useEffect, useState } from 'preact/hooks';

import { agentPath, againstIn } from '../addresses.ts';
import {
  AgentNamed,
  type GainFragment,
  HeadToHead as Compared,
  type HeadToHeadQuery,
} from '../documents/agent-detail.ts';
import { agentsNamed } from '../agents-address.ts';
import { Agents } from '../documents/agents.ts';
import { useAnswer } from '../answers.ts';
import { counted, decimal, signed, signedUsd } from '../figures.ts';
import { useNavigation } from '../navigation.ts';
import { useSession } from '../session.ts';
import { EstimateTable } from './estimate-table.tsx';
import { useAttempt } from './form.tsx';
import { Pending } from './notes.tsx';

interface AgentNamedHere {
  readonly id: number;
  readonly name: string;
}

/** Over rounds that both predicted. The other agent is in the address. */
export function HeadToHead({ agent, search }: { readonly agent: AgentNamedHere; readonly search: string }) {
  const other = againstIn(search);
  return (
    <section class="panel" aria-labelledby="against">
      <h2 id="against">
        Head to head <small>on the rounds that both predicted</small>
      </h2>
      <Chooser agent={agent} />
      {other !== null && <Comparison key={other} agent={agent} other={other} />}
    </section>
  );
}

function Chooser({ agent }: { readonly agent: AgentNamedHere }) {
  const { ask } = useSession();
  const [typed, setTyped] = useState('');
  const { data: rivals } = useAnswer(Agents, agentsNamed(useSettled(typed).trim()));
  const { go } = useNavigation();
  const { problem, attempt } = useAttempt();
  const choose = async (name: string): Promise<void> => {
    const found = (await ask(AgentNamed, { name })).agent;
    if (found == null) throw new Error(`There is no agent ${name}.`);
    go(`${agentPath(agent.id)}?against=${found.id}`, { replace: true });
  };
  return (
    <form
      class="against"
      onSubmit={(event) => {
        event.preventDefault();
        void attempt(() => choose(typed.trim()));
      }}
    >
      <label>
        <span>Another agent’s name</span>
        <input
          name="name"
          value={typed}
          list="rivals"
          required
          autocomplete="off"
          spellcheck={false}
          onInput={(event) => setTyped(event.currentTarget.value)}
        />
      </label>
      <datalist id="rivals">
        {rivals?.agents.nodes
          .filter(({ id }) => id !== agent.id)
          .map(({ id, name }) => (
            <option key={id}>{name}</option>
          ))}
      </datalist>
      <button type="submit">Compare</button>
      {problem !== null && <p role="alert">{problem}</p>}
    </form>
  );
}

const PAUSE_MS = 200;

/** The text once it has not changed for a moment. */
function useSettled(text: string): string {
  const [settled, settle] = useState(text);
  useEffect(() => {
    const timer = setTimeout(() => settle(text), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return settled;
}

function Comparison({ agent, other }: { readonly agent: AgentNamedHere; readonly other: number }) {
  const { data, error, refresh } = useAnswer(Compared, { a: agent.id, b: other });
  if (data === null) return <Pending error={error} again={refresh} />;
  const { headToHead } = data;
  if (headToHead == null) return <p class="fine">There is no agent {other}.</p>;
  const { b, n, aAhead, bAhead, even } = headToHead;
  return (
    <>
      <p role="status">
        {agent.name} and <a href={agentPath(b.id)}>{b.name}</a> share {counted(n, 'round')}.
        {n > 0 &&
          ` In ${aAhead} ${agent.name} was closer to what happened, in ${bAhead} ${b.name}, in ${even} neither.`}
      </p>
      {n > 0 && <Gains found={headToHead} name={agent.name} />}
    </>
  );
}

type Found = NonNullable<HeadToHeadQuery['headToHead']>;

function Gains({ found, name }: { readonly found: Found; readonly name: string }) {
  const { brierGain, edgeGain, pointsGain, pnlGainUsd } = found;
  const rows: readonly (readonly [string, GainFragment | null | undefined, (value: number) => string])[] = [
    ['Brier score', brierGain, decimal],
    ['Edge', edgeGain, decimal],
    ['Points', pointsGain, (points) => signed(Math.round(points * 10) / 10)],
    ['Sim P&L', pnlGainUsd, signedUsd],
  ];
  const shown = rows.flatMap(([title, gain, text]) => (gain == null ? [] : [{ name: title, ...gain, text }]));
  const caption = `What ${name} is better by in a round, with 95 % intervals`;
  return <EstimateTable label="Table: differences" caption={caption} rows={shown} />;
}
