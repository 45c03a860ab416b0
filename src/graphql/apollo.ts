import { ApolloServer, type ApolloServerPlugin, type GraphQLRequestContext, HeaderMap } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginLandingPageDisabled,
} from '@apollo/server/plugin/disabled';
import { GraphQLError, type GraphQLSchema, OperationTypeNode } from 'graphql';

import { statusOf } from '../http/errors.ts';
import { asksForSchema } from './document-transport.ts';
import { DomainError } from '../rules/errors.ts';
import type { Cost } from './cost.ts';
import { costOrExcess, type Payer, payFor } from './cost-budget.ts';
import { excessOf, extentRule, PARSE_OPTIONS, VALIDATION_OPTIONS } from './document-limits.ts';
import type { ErrorFormatter } from './errors.ts';
import type { Executed } from './execution.ts';
import type { Documents } from './documents.ts';

interface ApolloOptions {
  readonly schema: GraphQLSchema;
  /** Keeps what was found valid and affordable. */
  readonly documents: Documents;
  readonly format: ErrorFormatter;
  /** Called with what callers must not see. */
  readonly report: (error: unknown) => void;
}

/** GraphQL over HTTP with its limits. Suggestions stay: they help analysts, and introspection is open anyway. */
export async function openApollo({ schema, documents, format, report }: ApolloOptions): Promise<ApolloServer<Payer>> {
  const apollo = new ApolloServer<Payer>({
    schema,
    introspection: true,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    // Kept in Apollo's own memory, of at most 30 MB: an app of Apollo's asks by hash first, and some fail where that is refused.
    persistedQueries: { ttl: null },
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    parseOptions: PARSE_OPTIONS,
    validationRules: [extentRule],
    validationOptions: VALIDATION_OPTIONS,
    plugins: [
      ApolloServerPluginLandingPageDisabled(),
      // It would wrap every resolver of the schema, for REST too: 9 % of a list of 1,000, and over half of a GraphQL list of 100.
      ApolloServerPluginCacheControlDisabled(),
      executionPlugin(documents, format),
      reportPlugin(report),
    ],
    formatError: (_formatted, error) => format(error),
  });
  await apollo.start();
  return apollo;
}

/** Weighs and executes compiled operations, and sets the status that the accepted media type asks for. */
function executionPlugin(documents: Documents, format: ErrorFormatter): ApolloServerPlugin<Payer> {
  return {
    async requestDidStart() {
      let cost: Cost | null = null;
      let execute: ((context: Payer) => Executed | Promise<Executed>) | null = null;
      return {
        async didResolveOperation({ source, document, request, operation: asked, contextValue, metrics }) {
          if (asked?.operation === OperationTypeNode.SUBSCRIPTION) throw overSocketOnly();
          // Any other document is counted as it comes.
          if (metrics.persistedQueryHit === true && asksForSchema(source))
            await contextValue.admit('introspection', 'introspection').catch(asRefusal);
          const operation = documents.add(source, document).operation(request.operationName);
          const variables = operation?.coerce(request.variables ?? {}).coerced;
          if (!operation || !variables) return;
          const found = costOrExcess(operation, variables);
          if (found instanceof GraphQLError) throw unfit(found);
          cost = found;
          await payFor(contextValue, operation, variables).catch(asRefusal);
          execute = (context) => operation.execute({ context, variables });
        },
        // What is wrong with the operation's name or its variables Apollo reports, and executes nothing.
        async responseForOperation({ contextValue }) {
          if (execute === null) return null;
          const { data, errors } = await execute(contextValue);
          const singleResult = { data, ...(errors && { errors: errors.map(format) }) };
          return { http: { headers: new HeaderMap() }, body: { kind: 'single', singleResult } };
        },
        async willSendResponse(sent) {
          if (cost !== null) tellCost(sent, cost);
          const { http } = sent.response;
          const accept = sent.request.http?.headers.get('accept');
          if (http.status === 400 && isErrorOfDocument(sent) && namesPlainJson(accept)) http.status = 200;
        },
      };
    },
  };
}

function tellCost({ response: { body } }: GraphQLRequestContext<Payer>, cost: Cost): void {
  if (body?.kind !== 'single') return;
  body.singleResult.extensions = { ...body.singleResult.extensions, cost };
}

/** With the status that it has over REST, since nothing has been answered yet. */
function asRefusal(error: unknown): never {
  if (!(error instanceof DomainError)) throw error;
  const http = { status: statusOf(error.reason) };
  throw new GraphQLError(error.message, { originalError: error, extensions: { http } });
}

/** Of an operation that cannot be weighed: it costs too much, or a switch is null. */
function unfit({ message, nodes, extensions }: GraphQLError): GraphQLError {
  return new GraphQLError(message, { nodes: nodes ?? null, extensions: { ...extensions, http: { status: 400 } } });
}

function overSocketOnly(): GraphQLError {
  return new GraphQLError('Subscriptions run over a WebSocket (graphql-transport-ws) on the same path.', {
    extensions: { code: 'BAD_REQUEST', http: { status: 400 } },
  });
}

/** Apollo itself logs faults of its own without a cause. */
function reportPlugin(report: (error: unknown) => void): ApolloServerPlugin<Payer> {
  return {
    async unexpectedErrorProcessingRequest({ error }) {
      report(error);
    },
  };
}

/**
 * Whether a request was well formed, and its document, operation name or variables were not. GraphQL over HTTP gives
 * such requests 400, but 200 to those who accept `application/json` alone. Exceeded limits are none of these.
 */
function isErrorOfDocument({ source, errors }: Pick<GraphQLRequestContext<object>, 'source' | 'errors'>): boolean {
  return source !== undefined && !errors?.some((error) => excessOf(error) !== undefined);
}

/** Whether a caller names `application/json` and not the media type under which statuses are about the document. */
function namesPlainJson(accept: string | undefined): boolean {
  return (
    accept !== undefined && accept.includes('application/json') && !accept.includes('application/graphql-response')
  );
}
