import type { GraphQLSchema } from 'graphql';

import { compileDocument, type CompiledOperation } from '../graphql/compiled-document.ts';
import { periodIn, type PageName, type Place } from './addresses.ts';
import type { Document, FirstAnswers } from './document.ts';
import { AgentPage } from './documents/agent.ts';
import { About } from './documents/about.ts';
import { Boards, FrozenBoard } from './documents/boards.ts';
import { Hello } from './documents/hello.ts';
import { Join } from './documents/join.ts';
import { Now } from './documents/now.ts';
import { Questions } from './documents/questions.ts';
import { RoundPage } from './documents/round.ts';
import { Rounds } from './documents/rounds.ts';
import { filtersIn } from './round-filters.ts';

interface Asked {
  readonly document: Document<unknown, unknown>;
  readonly variables: Readonly<Record<string, unknown>>;
}

/** What each page asks for first; the browser asks the same, and finds it answered. */
const FIRST: Readonly<Record<PageName, (place: Place) => Asked>> = {
  now: () => ({ document: Now, variables: { period: 'weekly' } }),
  rounds: ({ search }) => ({ document: Rounds, variables: { ...filtersIn(search) } }),
  round: ({ id }) => ({ document: RoundPage, variables: { id } }),
  agent: ({ id }) => ({ document: AgentPage, variables: { id } }),
  boards: ({ search }) => ({ document: Boards, variables: { period: periodIn(search) } }),
  frozen: ({ period = '' }) => ({ document: FrozenBoard, variables: { period } }),
  questions: () => ({ document: Questions, variables: {} }),
  about: () => ({ document: About, variables: {} }),
  join: () => ({ document: Join, variables: {} }),
};

/** Answers what a page asks for first. What fails is left out: the browser asks again, and shows what is wrong. */
export type AnswerFirst = (place: Place, context: unknown) => Promise<FirstAnswers>;

/** Compiles the documents once. Throws when one does not fit the schema: that stops the start. */
export function firstAnswers(schema: GraphQLSchema): AnswerFirst {
  const places = Object.entries(FIRST).map(([, first]) => first({ page: 'now', id: 1, search: '' }).document);
  const compiled = new Map([Hello, ...places].map(({ name, text }) => [name, compileDocument(schema, text)]));
  return async (place, context) => {
    const { document, variables } = FIRST[place.page](place);
    // First, so that no event falls between the seq that it names and what the page shows.
    const hello = await answerOf(compiled.get(Hello.name), context, {});
    const main = await answerOf(compiled.get(document.name), context, variables);
    return {
      ...(hello === null ? {} : { [Hello.name]: { variables: {}, data: hello } }),
      ...(main === null ? {} : { [document.name]: { variables, data: main } }),
    };
  };
}

async function answerOf(
  operation: CompiledOperation | undefined,
  context: unknown,
  given: Readonly<Record<string, unknown>>,
): Promise<unknown> {
  const variables = operation?.coerced(given) ?? null;
  if (operation === undefined || variables === null) throw new Error(`The page asks what the schema does not take`);
  const { data, errors } = await operation.execute({ context, variables });
  return errors === undefined ? data : null;
}
