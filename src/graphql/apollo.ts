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
import type { ExecutionAnswer } from './execution.ts';
import type { Documents } from './documents.ts';
import { badRequest } from './request.ts';

interface ApolloOptions {
  readonly schema: GraphQLSchema;
  readonly documents: Documents;
  readonly format: ErrorFormatter;
  readonly report: (error: unknown) => void;
}

export async function openApollo({ schema, documents, format, report }: ApolloOptions): Promise<ApolloServer<Payer>> {
  const apollo = new ApolloServer<Payer>({
    schema,
    introspection: true,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    // In Apollo's memory, at most 30 MB: Apollo's clients first send a hash, and some fail if that is refused.
    persistedQueries: { ttl: null },
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    parseOptions: PARSE_OPTIONS,
    validationRules: [extentRule],
    validationOptions: VALIDATION_OPTIONS,
    plugins: [
      ApolloServerPluginLandingPageDisabled(),
      // It would wrap every resolver of the schema, also for REST, and slow down lists.
      ApolloServerPluginCacheControlDisabled(),
      executionPlugin(documents, format),
      reportPlugin(report),
    ],
    formatError: (_formatted, error) => format(error),
  });
  await apollo.start();
  return apollo;
}

function executionPlugin(documents: Documents, format: ErrorFormatter): ApolloServerPlugin<Payer> {
  return {
    async requestDidStart() {
      let cost: Cost | null = null;
      let execute: ((context: Payer) => ExecutionAnswer | Promise<ExecutionAnswer>) | null = null;
      return {
        async didResolveOperation({ source, document, request, operation: definition, contextValue, metrics }) {
          if (definition?.operation === OperationTypeNode.SUBSCRIPTION) {
            throw badRequest('Subscriptions run over a WebSocket (graphql-transport-ws) on the same path.', 400);
          }
          // Any other document is counted on arrival.
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
        // Apollo reports a wrong operation name or variables and executes nothing.
        async responseForOperation({ contextValue }) {
          if (execute === null) return null;
          const { data, errors } = await execute(contextValue);
          const singleResult = { data, ...(errors && { errors: errors.map(format) }) };
          return { http: { headers: new HeaderMap() }, body: { kind: 'single', singleResult } };
        },
        async willSendResponse(sent) {
          const { http, body } = sent.response;
          if (cost !== null && body.kind === 'single')
            body.singleResult.extensions = { ...body.singleResult.extensions, cost };
          const accept = sent.request.http?.headers.get('accept');
          if (http.status === 400 && isErrorOfDocument(sent) && namesPlainJson(accept)) http.status = 200;
        },
      };
    },
  };
}

function asRefusal(error: unknown): never {
  if (!(error instanceof DomainError)) throw error;
  const http = { status: statusOf(error.reason) };
  throw new GraphQLError(error.message, { originalError: error, extensions: { http } });
}

function unfit({ message, nodes, extensions }: GraphQLError): GraphQLError {
  return new GraphQLError(message, { nodes: nodes ?? null, extensions: { ...extensions, http: { status: 400 } } });
}

/** Apollo logs its own faults without a cause. */
function reportPlugin(report: (error: unknown) => void): ApolloServerPlugin<Payer> {
  return {
    async unexpectedErrorProcessingRequest({ error }) {
      report(error);
    },
  };
}

/** GraphQL over HTTP answers 400 to bad documents, but 200 to callers that accept `application/json` alone. */
function isErrorOfDocument({ source, errors }: Pick<GraphQLRequestContext<object>, 'source' | 'errors'>): boolean {
  return source !== undefined && !errors?.some((error) => excessOf(error) !== undefined);
}

/** The caller accepts `application/json`, but not the media type whose statuses concern the document. */
function namesPlainJson(accept: string | undefined): boolean {
  return (
    accept !== undefined && accept.includes('application/json') && !accept.includes('application/graphql-response')
  );
}
