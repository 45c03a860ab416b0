import { type GraphQLSchema, printSchema } from 'graphql';

import { withDeadline } from '../deadline.ts';
import { ANSWER_MS, type LimitName } from '../limits.ts';
import { callEndpoint, type EndpointsByName } from '../rest/calls.ts';
import { refused } from '../rules/errors.ts';
import { rulesText } from './rules-text.ts';
import type { Caller } from './tool-calls.ts';
import { endpointOf } from './tool-inputs.ts';

/** What a client may read into a conversation, beside the tools. */
export interface Resource {
  readonly name: string;
  readonly uri: string;
  readonly title: string;
  readonly description: string;
  readonly mimeType: string;
  /** Its text; `values` are those of the address, by name. Throws a `DomainError`. */
  readonly text: (values: Readonly<Record<string, unknown>>, reading: Reading) => Promise<string>;
}

interface Reading {
  readonly caller: Caller;
  readonly endpoints: EndpointsByName;
  readonly schema: GraphQLSchema;
}

/** The resources; an address with a name in braces stands for many. */
export const RESOURCES: readonly Resource[] = [
  {
    name: 'rules',
    uri: 'hourcast://rules',
    title: 'The rules',
    description: 'What is asked, what an answer earns, and how to play.',
    mimeType: 'text/markdown',
    text: (_values, reading) => counted('health', reading, rulesText),
  },
  {
    name: 'schema',
    uri: 'hourcast://schema',
    title: 'The GraphQL schema',
    description: 'Every type, field and argument that the tool `query` knows, described. Long: some 50 kB.',
    mimeType: 'application/graphql',
    text: (_values, reading) => counted('introspection', reading, () => printSchema(reading.schema)),
  },
  {
    name: 'round',
    uri: 'hourcast://rounds/{id}',
    title: 'A round',
    description: 'Its question, its state and, once it is decided, its outcome and the prices that decided it.',
    mimeType: 'application/json',
    async text({ id }, { caller, endpoints }) {
      const endpoint = endpointOf(endpoints, 'GET /api/rounds/{round_id}');
      const body = await callEndpoint(endpoint, caller.forEndpoint(), { round_id: wholeNumber(id) });
      return JSON.stringify(body);
    },
  },
];

/** Spends a budget of the address, as every answer does. */
async function counted(limit: LimitName, { caller }: Reading, text: () => string): Promise<string> {
  await withDeadline(ANSWER_MS, () => caller.forEndpoint().admit(limit, 'resources'));
  return text();
}

function wholeNumber(text: unknown): number {
  const number = typeof text === 'string' && /^\d{1,10}$/.test(text) ? Number(text) : Number.NaN;
  if (number >= 1) return number;
  throw refused('id', 'a whole number from 1', text);
}
