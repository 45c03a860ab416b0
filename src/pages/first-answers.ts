import type { Request } from 'express';
import type { GraphQLSchema } from 'graphql';

import { withDeadline } from '../deadline.ts';
import { compileServiceOperation } from '../graphql/operation.ts';
import type { LimitUse } from '../http/answer-cache.ts';
import { ANSWER_MS } from '../limits.ts';
import type { RestContext } from '../rest/answering.ts';
import { DomainError } from '../rules/errors.ts';
import type { PageName, Route } from '../../dashboard/addresses.ts';
import { agentsIn } from '../../dashboard/agents-address.ts';
import { BOARD_ROWS, boardIn, firstOrder, FROZEN_KINDS, hasOrder } from '../../dashboard/board-address.ts';
import { periodIn } from '../../dashboard/period-choice.ts';
import { type Document, type FirstAnswer, type FirstAnswers, nameOf } from '../../dashboard/document.ts';
import { AgentPage, type AgentPageQuery } from '../../dashboard/documents/agent.ts';
import { AgentNamed } from '../../dashboard/documents/agent-detail.ts';
import { Agents } from '../../dashboard/documents/agents.ts';
import { Archive } from '../../dashboard/documents/archive.ts';
import { About } from '../../dashboard/documents/about.ts';
import { Board, type BoardQuery, Rated, type RatedQuery } from '../../dashboard/documents/board.ts';
import { AgentCard, type AgentCardQuery } from '../../dashboard/documents/card.ts';
import { Holders } from '../../dashboard/documents/boards.ts';
import { FrozenBoard, type FrozenBoardQuery } from '../../dashboard/documents/frozen.ts';
import { ForecastNow, ForecastRecord } from '../../dashboard/documents/forecast.ts';
import { Hello, type HelloQuery } from '../../dashboard/documents/hello.ts';
import { Join } from '../../dashboard/documents/me.ts';
import { Models } from '../../dashboard/documents/models.ts';
import { Market, Now, type NowQuery } from '../../dashboard/documents/now.ts';
import { Questions } from '../../dashboard/documents/questions.ts';
import { RoundPage, type RoundPageQuery } from '../../dashboard/documents/round.ts';
import { Rounds } from '../../dashboard/documents/rounds.ts';
import { filtersIn } from '../../dashboard/round-filters.ts';

type PageQuery = readonly [Document<unknown, Variables>, Variables | ((before: PageAnswers) => Variables)];

type Variables = Readonly<Record<string, unknown>>;

const PLAYING: readonly PageQuery[] = [
  [Now, {}],
  // Apart, so that a service without prices shows the hour.
  [Market, {}],
];

/** The queries of each page's first paint; the browser finds the same ones answered. */
const FIRST: Readonly<Record<PageName, (route: Route) => readonly PageQuery[]>> = {
  now: ({ search }) => [
    ...PLAYING,
    ...(hasOrder(search) ? [] : [[Rated, { period: boardIn(search).period }] as const]),
    [Board, ({ Rated: rated }) => ({ ...boardIn(search, firstOrder(rated)), limit: BOARD_ROWS.now })],
  ],
  rounds: ({ search }) => [[Rounds, { ...filtersIn(search) }]],
  round: ({ id }) => [[RoundPage, { id }]],
  agents: ({ search }) => [[Agents, { ...agentsIn(search) }]],
  agent: ({ id }) => [[AgentPage, { id }]],
  boards: ({ search }) => {
    const board = boardIn(search);
    return [
      [Board, { ...board, limit: BOARD_ROWS.boards }],
      [Holders, { period: board.period, kind: FROZEN_KINDS[board.period] }],
    ];
  },
  frozen: ({ period = '' }) => [[FrozenBoard, { period }]],
  archive: ({ search }) => [[Archive, { after: new URLSearchParams(search).get('after') }]],
  forecast: ({ search }) => [
    [ForecastNow, {}],
    [ForecastRecord, { period: periodIn(search, 'alltime') }],
  ],
  models: ({ search }) => [[Models, { period: periodIn(search, 'alltime') }]],
  questions: () => [[Questions, {}]],
  about: () => [[About, {}]],
  join: () => [[Join, {}]],
  me: () => PLAYING,
  embedRound: () => PLAYING,
  embedBoard: ({ search }) => [[Board, { ...boardIn(search), limit: BOARD_ROWS.now }]],
  embedAgent: ({ id }) => [[AgentCard, { id }]],
};

export interface PageAnswers {
  readonly Hello?: HelloQuery;
  readonly Now?: NowQuery;
  readonly RoundPage?: RoundPageQuery;
  readonly AgentPage?: AgentPageQuery;
  readonly AgentCard?: AgentCardQuery;
  readonly Board?: BoardQuery;
  readonly Rated?: RatedQuery;
  readonly FrozenBoard?: FrozenBoardQuery;
}

export function dataOf(answers: FirstAnswers): PageAnswers {
  return Object.fromEntries(Object.entries(answers).map(([name, { data }]) => [name, data]));
}

type PageContext = Pick<RestContext, 'admit'>;

export interface AnswerDeps {
  readonly schema: GraphQLSchema;
  readonly newContext: (request: Request) => PageContext;
}

/** Throws refusals. Failed queries are left out: the browser repeats them and shows the error. */
export type AnswerFirst = (request: Request, route: Route, counted: LimitUse) => Promise<FirstAnswers>;

/** Throws at the start if a document does not fit the schema. */
export function firstAnswers({ schema, newContext }: AnswerDeps): AnswerFirst {
  const queries = Object.values(FIRST).flatMap((first) => first({ page: 'now', id: 1, search: '' }));
  const documents = [Hello, ...queries.map(([document]) => document)];
  const readers = new Map(documents.map((text) => [text, documentReader(schema, text)]));
  const read = async (context: PageContext, route: Route): Promise<FirstAnswers> => {
    const answers: Record<string, FirstAnswer> = {};
    const pageQueries: readonly PageQuery[] = [[Hello, {}], ...FIRST[route.page](route)];
    // In sequence, `Hello` first: no event may fall between its seq and the page's data.
    for (const [document, given] of pageQueries) {
      const variables = typeof given === 'function' ? given(dataOf(answers)) : given;
      const reader = readers.get(document);
      if (reader === undefined)
        throw new Error(`The page must read documents known at the start (got ${nameOf(document)})`);
      const data = await reader(context, variables);
      if (data !== null) answers[nameOf(document)] = { variables, data };
    }
    return answers;
  };
  return (request, route, counted) =>
    withDeadline(ANSWER_MS, async () => {
      const context = newContext(request);
      await context.admit(counted.limit, counted.endpoint);
      return read(context, route);
    });
}

export function agentNamed({
  schema,
  newContext,
}: AnswerDeps): (request: Request, name: string) => Promise<number | null> {
  const read = documentReader(schema, AgentNamed);
  return (request, name) =>
    withDeadline(ANSWER_MS, async () => {
      const context = newContext(request);
      await context.admit('graphqlRequest', 'an agent by name');
      return (await read(context, { name }))?.agent?.id ?? null;
    });
}

/** Reads a document; null if a field failed. Throws at the start if it does not fit the schema. */
export function documentReader<Answer, Given extends Variables>(
  schema: GraphQLSchema,
  document: Document<Answer, Given>,
): (context: unknown, variables: Given) => Promise<Answer | null> {
  const operation = compileServiceOperation(schema, document);
  return async (context, given) => {
    const variables = operation.coerce(given).coerced;
    if (variables === undefined) throw new Error(`The variables of ${nameOf(document)} must fit the schema`);
    const { data, errors } = await operation.execute({ context, variables, isServiceDocument: true });
    const answer: { readonly data: Answer } = Object({ data });
    return errors === undefined ? answer.data : null;
  };
}

/** Throws `UNAVAILABLE` if the answer is missing. */
export function foundOrUnavailable<Answer>(answer: Answer | null | undefined, what: string): Answer {
  if (answer != null) return answer;
  throw new DomainError('unavailable', `The ${what} cannot be read at present; try again shortly.`);
}
