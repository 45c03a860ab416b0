import { randomBytes } from 'node:crypto';

import { execute, type GraphQLFormattedError, parse, validate } from 'graphql';

import { noLimiter } from '../../src/backplane/local.ts';
import { errorFormatter } from '../../src/graphql/errors.ts';
import { openCrowds } from '../../src/reads/open-crowds.ts';
import { keptReferences } from '../../src/references/kept-references.ts';
import { contexts } from '../../src/resolvers/context.ts';
import { keyLookup, openKnownKeys } from '../../src/resolvers/keys.ts';
import { predictionWriter } from '../../src/resolvers/prediction-writer.ts';
import { makeSchema } from '../../src/resolvers/schema.ts';
import type { TestService } from './service.ts';

/**
 * What graphql-js itself answers to a document on a service's database. It shows resolvers no selection, so that each finds
 * its own value: nothing is read ahead, and PostgreSQL writes no part of the answer.
 */
export function byGraphqlJs(service: TestService) {
  const { newEm, statements, clock, market } = service;
  const schema = makeSchema();
  const newContext = contexts({
    newEm,
    read: (task) => task(newEm()),
    readJson: () => Promise.reject(new Error('graphql-js reads nothing ahead')),
    newSubmissionEm: newEm,
    newRegistrationEm: newEm,
    submissions: statements,
    urgent: statements,
    keys: keyLookup(statements),
    knownKeys: openKnownKeys(),
    clock,
    market,
    limiter: noLimiter,
    writer: predictionWriter(service.submissions, clock, 0),
    openCrowds: openCrowds(newEm),
    references: keptReferences({ newEm, market }),
    tell: () => {},
    reconcile: async () => {},
    randomBytes,
    keyPepper: undefined,
    lockMs: 0,
    picks: 'open',
    version: '9.9.9',
  });
  const format = errorFormatter((error) => void service.reported.push(error));
  return async (query: string): Promise<{ data?: unknown; errors?: GraphQLFormattedError[] }> => {
    const document = parse(query);
    const invalid = validate(schema, document);
    if (invalid.length > 0) return { errors: invalid.map(format) };
    const caller = { ip: '127.0.0.1', alreadyCounted: false, authorization: undefined, foreignOrigin: undefined };
    const { data, errors } = await execute({ schema, document, contextValue: newContext(caller) });
    return { ...(errors && { errors: errors.map(format) }), data };
  };
}
