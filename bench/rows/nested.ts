import { compare, type Side } from '../compare.ts';
import { benchKey, type History } from '../history-shapes.ts';
import { post, type Target, these, turnOf } from '../load.ts';
import { measuredService, type MeasuredService } from '../measured-service.ts';
import { makePeerTables } from '../peer-tables.ts';
import { type Peer, startPeer } from '../peers.ts';
import { ratioTable } from '../results.ts';
import { timedRequest } from '../timed-request.ts';
import type { Row } from './row.ts';

/** A nested query in each side's dialect; `$id` is an agent's id. */
export interface Nested {
  readonly name: string;
  readonly ours: string;
  readonly postGraphile: string;
  /** The operation's name selects the hand-written statement. */
  readonly operation: string;
  readonly takesAgent: boolean;
}

/** The client's connections. */
export const CONNECTIONS = 16;

export const QUESTIONS: readonly Nested[] = [
  {
    name: '(a) the first 100 of the board',
    operation: 'topAgents',
    takesAgent: false,
    ours: `query topAgents { leaderboard(period: alltime, limit: 100) { rankings { rank name totalPoints totalArenaPoints
      totalCompetitions totalWins currentStreak bestStreak simPnlTotal agent { id } } } }`,
    postGraphile: `query topAgents { allAgentsList(first: 100, orderBy: [TOTAL_POINTS_DESC, PRIMARY_KEY_ASC]) { rowId name
      totalPoints totalArenaPoints totalCompetitions totalWins currentStreak bestStreak simPnlTotal } }`,
  },
  {
    name: '(b) 20 rounds, 10 predictions each, their agents',
    operation: 'recentRounds',
    takesAgent: false,
    ours: `query recentRounds { rounds(first: 20, status: [resolved]) { nodes { id question status totalEntries
      predictions(first: 10, orderBy: PLACE) { nodes { prediction confidence score agent { name } } } } } }`,
    postGraphile: `query recentRounds { allRoundsList(first: 20, orderBy: [PRIMARY_KEY_DESC]) { rowId question status
      totalEntries predictionsByRoundIdList(first: 10, orderBy: [SCORE_DESC, PRIMARY_KEY_ASC]) { prediction confidence score
      agentByAgentId { name } } } }`,
  },
  {
    name: "(c) an agent's last 50 predictions, their rounds",
    operation: 'agentHistory',
    takesAgent: true,
    ours: `query agentHistory($id: Int!) { agent(id: $id) { id name totalPoints predictions(first: 50) { nodes {
      prediction confidence score round { id question status } } } } }`,
    postGraphile: `query agentHistory($id: Int!) { agentByRowId(rowId: $id) { rowId name totalPoints
      predictionsByAgentIdList(first: 50, orderBy: [PRIMARY_KEY_DESC]) { prediction confidence score
      roundByRoundId { rowId question status } } } }`,
  },
];

/** P6: nested queries beside PostGraphile 5 on its own tables. */
export const besidePostGraphile: Row = async (options) => {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await measuredService(options));
  const database = await makePeerTables(service.connection, 'nested', service.history);
  const peer = stack.use(await startPeer('postgraphile', { database }));
  return await nestedTable('PostGraphile 5', { service, peer, words: ({ postGraphile }) => postGraphile }, options);
};

/** P7: the same beside hand-written SQL that makes JSON, on the service's tables. */
export const besideHandWritten: Row = async (options) => {
  await using stack = new AsyncDisposableStack();
  const service = stack.use(await measuredService(options));
  const peer = stack.use(await startPeer('hand-written-sql', { serviceDatabase: service.connection }));
  return await nestedTable('hand-written SQL and JSON', { service, peer, words: ({ ours }) => ours }, options);
};

interface Sides {
  readonly service: MeasuredService;
  readonly peer: Peer;
  readonly words: (question: Nested) => string;
}

async function nestedTable(
  beside: string,
  { service, peer, words }: Sides,
  options: Parameters<Row>[0],
): Promise<string> {
  const lines = [];
  const { history } = service;
  for (const question of QUESTIONS) {
    const kept = asking(service, question, { query: question.ours, history });
    // Answers with a key are not cached.
    const anew = asking(service, question, { query: question.ours, history, key: benchKey(1) });
    const theirs = asking(peer, question, { query: words(question), history });
    for (const [side, pairs] of await compare(theirs, [kept, anew], options))
      lines.push({ what: side === anew ? `${letterOf(question)} executed each time` : question.name, pairs });
  }
  return ratioTable(beside, lines);
}

/** Such as (a). */
const letterOf = ({ name }: Nested): string => name.slice(0, name.indexOf(' '));

function asking(
  target: Target,
  question: Nested,
  { query, history, key }: { query: string; history: History; key?: string },
): Side {
  const { name, operation, takesAgent } = question;
  const ids = takesAgent ? Array.from({ length: history.regulars }, (_, n) => n + 1) : [0];
  const texts = ids.map((id) =>
    post(
      '/graphql',
      { query, operationName: operation, variables: takesAgent ? { id } : {} },
      key === undefined ? {} : { authorization: `Bearer ${key}` },
    ),
  );
  const load = these(texts, { connections: CONNECTIONS });
  return {
    name,
    async turn(span) {
      await refuseErrors(target, texts[0] ?? '');
      return turnOf(target, load, span);
    },
  };
}

/** Answers with errors are fast, and have status 200 too. */
async function refuseErrors({ url }: Target, request: string): Promise<void> {
  const body: object = JSON.parse(request.slice(request.indexOf('\r\n\r\n')));
  const { text } = await timedRequest({ url: `${url}/graphql`, from: '127.0.0.1', body });
  if (text === '' || /"errors":/.test(text))
    throw new Error(`A nested question must be answered (got: ${text.slice(0, 1_000)})`);
}
