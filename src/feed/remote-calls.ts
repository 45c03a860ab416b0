import { z } from 'zod';

import type { Relay } from '../backplane/backplane.ts';
import type { DocumentTransport } from '../graphql/document-transport.ts';
import { DomainError, REASONS } from '../rules/errors.ts';
import { refusalIn, type RootValue } from './executions.ts';
import type { EntryCount } from './hub.ts';
import { type OperationDeps, type SentOperation, sharedOperation } from './operation.ts';

/* Calls of a process without a database to one that has it. */

const ROOT = z.looseObject({ events: z.looseObject({ at: z.coerce.date() }).optional() });
const SENT = z.object({
  query: z.string(),
  operationName: z.string().optional(),
  variables: z.record(z.string(), z.unknown()),
});
const CALL = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('end') }),
  z.object({ kind: z.literal('entries') }),
  z.object({ kind: z.literal('execute'), sent: SENT, roots: z.array(ROOT) }),
]);
const SEQ = z.int();
const ENTRIES = z.object({ roundId: z.int(), totalEntries: z.int(), seq: z.int() }).nullable();
const REFUSAL = z.object({
  reason: z.enum(REASONS),
  message: z.string(),
  argument: z.string().optional(),
  retryAfter: z.int().optional(),
  budget: z.object({ endpoint: z.string(), limit: z.number(), windowSeconds: z.number() }).optional(),
});
const REFUSALS = REFUSAL.extend({ all: z.array(REFUSAL).default([]) });
const RESULT = z.union([z.object({ text: z.string() }), REFUSALS]);
const RESULTS = z.array(RESULT);

interface HandlingDeps extends Pick<OperationDeps, 'ownFields' | 'newContext' | 'formatErrors'> {
  readonly check: DocumentTransport['check'];
  readonly end: () => Promise<number>;
  readonly countEntries: () => Promise<EntryCount | null>;
}

/** Handles calls. A fault rejects; a refusal of the domain is a result. */
export function remoteCallHandler(deps: HandlingDeps): (given: unknown) => Promise<unknown> {
  return async (given) => {
    const call = CALL.parse(given);
    switch (call.kind) {
      case 'end':
        return deps.end();
      case 'entries':
        return deps.countEntries();
      case 'execute':
        return Promise.all(executeOperation(deps, call.sent, call.roots).map(resultOf));
    }
  };
}

function executeOperation(deps: HandlingDeps, sent: z.infer<typeof SENT>, roots: readonly RootValue[]) {
  const checked = deps.check(sent);
  if (!('operation' in checked))
    throw new Error('A process without a database asks for a document that is refused here');
  return sharedOperation(deps, checked, null).execute(roots);
}

async function resultOf(execution: Promise<string>): Promise<z.infer<typeof RESULT>> {
  try {
    return { text: await execution };
  } catch (error) {
    const refusal = refusalIn(error);
    if (refusal === null) throw error;
    return { ...sentRefusal(refusal), all: refusal.refusals.map(sentRefusal) };
  }
}

function sentRefusal({ reason, message, argument, retryAfter, budget }: DomainError): z.infer<typeof REFUSAL> {
  return { reason, message, argument, retryAfter, budget };
}

/** Calls a process with a database, which handles calls by `remoteCallHandler`. */
export function remoteCaller(send: Relay['call']) {
  const call = async <T>(schema: z.ZodType<T>, given: z.input<typeof CALL>): Promise<T> =>
    schema.parse(await send(given));
  return {
    end: () => call(SEQ, { kind: 'end' }),
    countEntries: () => call(ENTRIES, { kind: 'entries' }),
    /** The root values share one call. */
    execute: (sent: SentOperation, roots: readonly RootValue[]): readonly Promise<string>[] => {
      const results = call(RESULTS, { kind: 'execute', sent, roots: [...roots] });
      return roots.map(async (_root, place) => textOf((await results)[place]));
    },
  };
}

function textOf(result: z.infer<typeof RESULT> | undefined): string {
  if (result === undefined) throw new Error('A call has fewer results than root values');
  if ('text' in result) return result.text;
  const all = result.all.map((one) => new DomainError(one.reason, one.message, one));
  throw new DomainError(result.reason, result.message, { ...result, all });
}
