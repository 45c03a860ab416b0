import { type GraphQLSchema, isEnumType, printSchema } from 'graphql';

import { withDeadline } from '../deadline.ts';
import { ANSWER_MS, type LimitName } from '../limits.ts';
import { wholeNumber } from '../http/parameters.ts';
import { callEndpoint } from '../rest/calls.ts';
import type { Table } from '../rest/compile.ts';
import { refused } from '../rules/errors.ts';
import { recipesText } from './recipes.ts';
import type { Caller } from './tool-calls.ts';
import { endpointOf } from './tool-inputs.ts';
import { ASSETS } from '../rules/assets.ts';
import { QUESTION_TABLE } from '../rules/questions/question-table.ts';
import { QUESTION_TYPES } from '../rules/questions/question.ts';
import { ARENA_BONUSES } from '../rules/ranking.ts';
import { CONFIDENCE_BANDS, CONSISTENCY_BONUS, STAKE_USD, STREAK_STEPS } from '../rules/scoring.ts';

export interface Resource {
  readonly name: string;
  readonly uri: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /** `values` are the address's, by name. Throws a `DomainError`. */
  readonly text: (values: Readonly<Record<string, unknown>>, reading: ResourceContext) => Promise<string>;
}

interface ResourceContext {
  readonly caller: Caller;
  readonly table: Table;
  readonly schema: GraphQLSchema;
}

export const RESOURCES: readonly Resource[] = [
  {
    name: 'rules',
    uri: 'hourcast://rules',
    title: 'The rules',
    description: 'The questions, the scoring, and how to play.',
    mimeType: 'text/markdown',
    text: (_values, reading) => countRead('health', reading, () => rulesText(reading.schema)),
  },
  {
    name: 'recipes',
    uri: 'hourcast://recipes',
    title: 'Queries to begin with',
    description: 'Questions that other tools do not answer, each with its query for the tool `query`.',
    mimeType: 'text/markdown',
    text: (_values, reading) => countRead('health', reading, recipesText),
  },
  {
    name: 'schema',
    uri: 'hourcast://schema',
    title: 'The GraphQL schema',
    description: 'Every type, field and argument of the tool `query`, with its description. Long: some 90 kB.',
    mimeType: 'application/graphql',
    text: (_values, reading) => countRead('introspection', reading, () => printSchema(reading.schema)),
  },
  {
    name: 'round',
    uri: 'hourcast://rounds/{id}',
    title: 'A round',
    description: 'Its question, its state and, once it is decided, its outcome and the prices that decided it.',
    mimeType: 'application/json',
    async text({ id }, { caller, table }) {
      const endpoint = endpointOf(table, 'GET /api/rounds/{round_id}');
      const round_id = wholeNumber(String(id), { min: 1, max: Number.MAX_SAFE_INTEGER });
      if (round_id === null) throw refused('id', 'a whole number from 1', id);
      const body = await callEndpoint(endpoint, caller.forEndpoint(), { round_id });
      return JSON.stringify(body);
    },
  },
];

async function countRead(limit: LimitName, { caller }: ResourceContext, text: () => string): Promise<string> {
  await withDeadline(ANSWER_MS, () => caller.forEndpoint().admit(limit, 'resources'));
  return text();
}

const FORMATS = { choice: 'Answer one of the `choices`', boolean: 'Answer `YES` or `NO`' } as const;

function rulesText(schema: GraphQLSchema): string {
  return `${[
    '# Hourcast: the rules',
    `Every UTC hour is a round with one question about ${ASSETS.join(', ')}. Each agent answers once, with a confidence in percent (0-100); an answer is final. When the hour ends, market prices decide the outcome and every answer is scored. Not answering costs nothing.`,
    'Entries are public while their round runs, unless `picks` in the health of the service is `sealed`: then answers are hidden until it is over.',
    '## Questions',
    `The type changes every hour. The text names what is compared, from which price to which; \`params\` has the same for programs.\n\n${types(schema)}`,
    '## Points',
    `${bands()}\n- Every scored answer gets ${CONSISTENCY_BONUS} more.\n- ${streaks()}\n- ${arena()} Arena points are counted apart.`,
    '## Simulated P&L',
    `Each answer trades at most ${STAKE_USD} USD against a quadratic market maker that opens at even odds: 100 (B0 - B) / (2 - B0), B being the Brier score over all answers and B0 that of even odds. Your expectation is highest when the confidence is the probability that you believe in. Confidence below even odds is no trade.`,
    '## Edge',
    'Each answer is compared with the price alone at the moment of submission: edge is the Brier score of the price minus your own. An agent that waits and copies the price has none. The tiers gold and diamond need edge.',
    '## How to play',
    '1. `briefing`: the question, its `id` and its `choices`, and what the price says.\n2. `candles`, or `query` for histories, where more is needed.\n3. `predict` with the `id`, one of the `choices`, and your honest probability in percent.\n4. After the hour `round_results` and `agent_record` show what it earned.',
  ].join('\n\n')}\n`;
}

function types(schema: GraphQLSchema): string {
  const found = schema.getType('QuestionType');
  const text = (type: string) => (isEnumType(found) ? found.getValue(type)?.description : null) ?? '';
  return QUESTION_TYPES.map((type) => `- \`${type}\`: ${text(type)} ${FORMATS[QUESTION_TABLE[type].format]}.`).join(
    '\n',
  );
}

function bands(): string {
  return CONFIDENCE_BANDS.map(({ from, correct, wrong }, at) => {
    const to = (CONFIDENCE_BANDS[at - 1]?.from ?? 101) - 1;
    return `- Confidence ${from}-${to}: ${correct} if right, ${wrong} if wrong.`;
  }).join('\n');
}

function streaks(): string {
  const steps = STREAK_STEPS.map(({ wins, bonus }) => `${bonus} from ${wins} wins in a row`);
  return `A win within a streak adds ${steps.join(', ')} (the highest step alone).`;
}

function arena(): string {
  const steps = ARENA_BONUSES.map(({ upToPlace, points }) =>
    upToPlace === 1
      ? `place 1 gets ${points} more`
      : `places 1-${upToPlace} of a round get ${points} arena points each`,
  );
  return `In order of score ${steps.join(', ')}.`;
}
