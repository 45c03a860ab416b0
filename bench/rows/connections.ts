import { withClient } from '../../src/database/connection.ts';
import { USUAL_CONNECTIONS } from '../../src/database/connection-shares.ts';
import { insertAgents } from '../agents.ts';
import { pairsOf, type Side } from '../compare.ts';
import { benchKey } from '../history-shapes.ts';
import { get, type Load, post, these, turnOf } from '../load.ts';
import { measuredService, type MeasuredService, runningRound } from '../measured-service.ts';
import { ratioTable } from '../results.ts';
import { CONNECTIONS, QUESTIONS } from './nested.ts';
import type { Row } from './row.ts';

/** Agents beyond the history's, each of which submits once. */
const SUBMITTING = 400_000;

/** Requests that always use the database, with the fewest connections and with the default without Redis. */
export const fewConnections: Row = async (options) => {
  await using stack = new AsyncDisposableStack();
  const few = stack.use(
    await measuredService({ ...options, settings: { DATABASE_CONNECTIONS: String(USUAL_CONNECTIONS) } }),
  );
  const usual = stack.use(await measuredService(options));
  for (const { connection, history } of [few, usual])
    await withClient(connection, (client) =>
      insertAgents(client, { first: history.agents + 1, last: history.agents + SUBMITTING }),
    );
  const lines = [];
  for (const { name, loadOf } of loads(options.history.regulars)) {
    const [ours, theirs] = [few, usual].map((service): Side => {
      let sent = service.history.agents;
      return {
        name,
        async turn(span) {
          const turn = await turnOf(service, await loadOf(service, sent + 1), span);
          sent += turn.sent;
          return turn;
        },
      };
    });
    if (ours === undefined || theirs === undefined) throw new Error('There must be two services');
    lines.push({ what: name, pairs: await pairsOf(theirs, ours, options) });
  }
  return ratioTable('34 connections', lines);
};

interface Asking {
  readonly name: string;
  /** The requests of a turn; `first` is the first agent that has not submitted. */
  readonly loadOf: (service: MeasuredService, first: number) => Promise<Load>;
}

function loads(regulars: number): readonly Asking[] {
  const agents = Array.from({ length: regulars }, (_, n) => n + 1);
  const headers = { authorization: `Bearer ${benchKey(1)}` };
  return [
    {
      name: 'POST /api/predictions',
      loadOf: async ({ url }, firstAgent) => {
        const { id: roundId, choices } = await runningRound(url);
        return { requests: { kind: 'submissions', firstAgent, roundId, prediction: choices[0] ?? '' }, status: 201 };
      },
    },
    {
      name: '/api/me',
      loadOf: async () => these(agents.map((n) => get('/api/me', { authorization: `Bearer ${benchKey(n)}` }))),
    },
    { name: '/api/agents/{id}', loadOf: async () => these(agents.map((n) => get(`/api/agents/${n}`))) },
    ...QUESTIONS.map(({ name, ours, takesAgent }) => ({
      name: `${name}, executed each time`,
      loadOf: async () =>
        these(
          agents.map((id) => post('/graphql', { query: ours, variables: takesAgent ? { id } : {} }, headers)),
          { connections: CONNECTIONS },
        ),
    })),
  ];
}
