import type { IncomingMessage, ServerResponse } from 'node:http';

import { steadyMs } from '../clock.ts';
import { withDeadline } from '../deadline.ts';
import { bodyAtHand, isPlainJson, parsedJson } from '../http/bodies.ts';
import type { Counted } from '../http/counted.ts';
import type { KeptAnswer } from '../http/kept-answers.ts';
import { asRequest } from '../http/request-ids.ts';
import type { RequestWatch } from '../http/request-watch.ts';
import type { QuickListener } from '../http/server.ts';
import { ANSWER_MS, QUERY_BYTES } from '../limits.ts';
import type { Context } from '../resolvers/context.ts';
import { type Admission, MEDIA_TYPES } from './admission.ts';
import type { ErrorFormatter } from './errors.ts';
import type { KeptDocuments } from './kept-documents.ts';
import { answerHeaders, executeKnown, type KnownRequest, knownRequest, takesPlainJson } from './known-answers.ts';
import type { KnownDocuments } from './known-documents.ts';

interface QuickDocumentsDeps {
  readonly path: string;
  readonly documents: KnownDocuments;
  readonly format: ErrorFormatter;
  readonly admission: Pick<Admission, 'admit'> & {
    readonly contextOf: (request: IncomingMessage) => Pick<Context, 'allowance'>;
  };
  readonly keeps: KeptDocuments;
  readonly counted: Pick<Counted, 'spend'>;
  /** For what `counted` has counted. */
  readonly contextOfCounted: (request: IncomingMessage) => unknown;
  readonly watch: RequestWatch;
  /** Headers that every answer carries, names and values in turns. */
  readonly headers: readonly string[];
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

/**
 * Answers POSTs of known documents as `knownAnswers` does, before Express sees them: 137 us of processor time rather than 193
 * for a field that needs no statement, medians of three turns each. A request that is not plain JSON, whose
 * body did not come with its head, or that spends more than its budget, is left to Express: counted, its body unread.
 */
export function quickDocuments(deps: QuickDocumentsDeps): QuickListener {
  const { path, documents, admission, watch } = deps;
  const answer = async (exchange: Exchange): Promise<boolean> => {
    const began = steadyMs();
    const kept = await keptFor(deps, exchange.request);
    if (kept !== null) {
      watch.noteWritten(exchange, { id: kept.id, route: path, status: sendKept(deps, exchange, kept), began });
      return true;
    }
    const isAdmitted = await withDeadline(ANSWER_MS, () => admission.admit(exchange.request)).then(
      () => true,
      // Express meets the same error, and answers it.
      () => false,
    );
    const body = isAdmitted ? bodyAtHand(exchange.request, QUERY_BYTES) : null;
    // What is wrong with a body that is no JSON, Express says.
    const known = body === null ? null : knownRequest(documents, parsedJson(body));
    if (known === null) return false;
    const id = watch.idOf(exchange.request);
    const status = await asRequest(id, () => answerKnown(deps, exchange, { known, id }));
    watch.noteWritten(exchange, { id, route: path, status, began });
    return true;
  };
  return (request, response) => (isPlain(request, path) ? answer({ request, response }) : null);
}

function isPlain(request: IncomingMessage, path: string): boolean {
  const { method, url, headers } = request;
  return method === 'POST' && url === path && isPlainJson(request) && takesPlainJson(headers);
}

/** An answer that everybody gets who asks without a key. */
interface KeptForAll extends Pick<Context, 'allowance'> {
  readonly id: string;
  readonly answer: KeptAnswer;
}

/** Null, and nothing counted, for what is executed by itself; null too where a budget is spent. */
async function keptFor(deps: QuickDocumentsDeps, request: IncomingMessage): Promise<KeptForAll | null> {
  const { keeps, documents, counted } = deps;
  if (request.headers.authorization !== undefined) return null;
  // The parser hands the body over when the listener has returned.
  await Promise.resolve();
  const text = bodyAtHand(request, QUERY_BYTES);
  if (text === null) return null;
  const found = await keeps.current(text);
  const known = found === null ? knownRequest(documents, parsedJson(text)) : null;
  const recipe = known && keeps.recipeOf(text, known);
  const limits = found?.quickRoute?.limits ?? recipe?.limits;
  if (limits === undefined) return null;
  const { isWithin, allowance } = await counted.spend(request, limits);
  if (!isWithin) return null;
  const id = deps.watch.idOf(request);
  const answer = found ?? (await asRequest(id, async () => recipe?.answer(deps.contextOfCounted(request)))) ?? null;
  return answer && { id, answer, allowance };
}

/** The status that was sent; 499 where nobody waits any more. */
function sendKept(
  { headers }: QuickDocumentsDeps,
  { request, response }: Exchange,
  { id, answer: { text, bytes }, allowance }: KeptForAll,
): number {
  request.resume();
  if (response.destroyed) return 499;
  response.writeHead(200, headOf(headers, { id, allowance, length: bytes.length }));
  if (text === null) response.end(bytes);
  else response.end(text, 'latin1');
  return 200;
}

function headOf(
  headers: readonly string[],
  { id, length, ...context }: Pick<Context, 'allowance'> & { readonly id: string; readonly length: number },
): string[] {
  const told = Object.entries(answerHeaders(context, MEDIA_TYPES[0])).flat();
  return [...headers, 'X-Request-Id', id, 'Vary', 'Accept', ...told, 'Content-Length', String(length)];
}

/** The status that was sent; 499 where nobody waits any more. */
async function answerKnown(
  { admission, format, headers }: QuickDocumentsDeps,
  { request, response }: Exchange,
  { known, id }: { known: KnownRequest; id: string },
): Promise<number> {
  const context = admission.contextOf(request);
  const { text } = await withDeadline(ANSWER_MS, () => executeKnown(known, context, format));
  // Takes the body out of the way of the connection's next request.
  request.resume();
  if (response.destroyed) return 499;
  const { allowance } = context;
  response.writeHead(200, headOf(headers, { id, allowance, length: Buffer.byteLength(text) })).end(text);
  return 200;
}
