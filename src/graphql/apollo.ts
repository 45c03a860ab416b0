import { ApolloServer, type ApolloServerPlugin, type GraphQLRequestContext } from '@apollo/server';
import { ApolloServerPluginLandingPageDisabled } from '@apollo/server/plugin/disabled';
import { GraphQLError, type GraphQLSchema, OperationTypeNode } from 'graphql';

import type { Context } from '../resolvers/context.ts';
import { type Cost, type CostMeter, costMeter } from './cost.ts';
import { errorFormatter } from './formatted-error.ts';
import { isErrorOfDocument, namesPlainJson } from './http-status.ts';
import { PARSE_OPTIONS } from './parse-document.ts';
import { validationRules } from './validation-rules.ts';

export interface ApolloNeeds {
  readonly schema: GraphQLSchema;
  /** Called with what callers must not see. */
  readonly report: (error: unknown) => void;
}

/** GraphQL over HTTP with its limits. Suggestions stay: they help analysts, and introspection is open anyway. */
export async function openApollo({ schema, report }: ApolloNeeds): Promise<ApolloServer<Context>> {
  const format = errorFormatter(report);
  const apollo = new ApolloServer<Context>({
    schema,
    introspection: true,
    csrfPrevention: true,
    allowBatchedHttpRequests: false,
    persistedQueries: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    parseOptions: PARSE_OPTIONS,
    validationRules: validationRules(),
    plugins: [ApolloServerPluginLandingPageDisabled(), limitsPlugin(costMeter(schema)), reportPlugin(report)],
    formatError: (_formatted, error) => format(error),
  });
  await apollo.start();
  return apollo;
}

/** Refuses what costs too much, tells what the rest cost, and sets the status that the accepted media type asks for. */
function limitsPlugin(meter: CostMeter): ApolloServerPlugin<Context> {
  return {
    async requestDidStart() {
      let cost: Cost | null = null;
      return {
        async didResolveOperation({ document, request, operation }) {
          if (operation?.operation === OperationTypeNode.SUBSCRIPTION) throw overSocketOnly();
          cost = meter({ document, operationName: request.operationName, variables: request.variables });
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

function tellCost({ response: { body } }: GraphQLRequestContext<Context>, cost: Cost): void {
  if (body?.kind !== 'single') return;
  body.singleResult.extensions = { ...body.singleResult.extensions, cost };
}

function overSocketOnly(): GraphQLError {
  return new GraphQLError('Subscriptions run over a WebSocket (graphql-transport-ws) on the same path.', {
    extensions: { code: 'BAD_REQUEST', http: { status: 400 } },
  });
}

/** Apollo itself logs faults of its own without a cause. */
function reportPlugin(report: (error: unknown) => void): ApolloServerPlugin<Context> {
  return {
    async unexpectedErrorProcessingRequest({ error }) {
      report(error);
    },
  };
}
