import type { IncomingMessage } from 'node:http';

import { OperationTypeNode } from 'graphql';

import { steadyMs } from '../clock.ts';
import { withDeadline } from '../deadline.ts';
import {
  bodyAtHand,
  bodyOf,
  type Counted,
  isPlainJson,
  JSON_TYPE,
  parsedJson,
  type QuickAnswer,
  type QuickContent,
  type QuickExchange,
  quickSender,
  type QuickSenderDeps,
} from '../http/quick-exchange.ts';
import type { Dependency, KeptAnswer, KeptAnswers, QuickRoute } from '../http/kept-answers.ts';
import { asRequest, type RequestWatch } from '../http/request-watch.ts';
import type { QuickListener } from '../http/server.ts';
import { ANSWER_MS, type LimitName, QUERY_BYTES, ROOT_FIELD_LIMITS } from '../limits.ts';
import type { Context } from '../resolvers/context.ts';
import type { Admission } from './admission.ts';
import { payFor } from './cost.ts';
import type { ErrorFormatter } from './errors.ts';
import {
  answerHeaders,
  executeKnown,
  type KnownDocuments,
  type KnownRequest,
  knownRequest,
  takesPlainJson,
} from './known-documents.ts';
import type { Selection, Shape } from './selection.ts';

interface QuickDocumentsDeps extends QuickSenderDeps {
  readonly path: string;
  readonly documents: KnownDocuments;
  readonly format: ErrorFormatter;
  readonly admission: Pick<Admission, 'admit'> & {
    readonly contextOf: (request: IncomingMessage) => Pick<Context, 'allowance' | 'admit'>;
  };
  readonly kept: KeptAnswers;
  readonly counted: Pick<Counted, 'spend'>;
  readonly newContext: (request: IncomingMessage, alreadyCounted: boolean) => unknown;
  readonly watch: RequestWatch;
}

/**
 * Answers POSTs of known documents as `knownAnswers` does, before Express sees them: 137 us of processor time rather than 193
 * for a field that needs no statement, medians of three turns each. A request that is not plain JSON, whose
 * body did not come with its head, or that spends more than its budget, is left to Express: counted, its body unread.
 */
export function quickDocuments(deps: QuickDocumentsDeps): QuickListener {
  const { path, admission, watch } = deps;
  const keepingOf = keepings(path);
  const sendAnswer = quickSender(deps);
  const send: typeof sendAnswer = (exchange, ...answered) => {
    // Takes the body out of the way of the connection's next request.
    exchange.request.resume();
    sendAnswer(exchange, ...answered);
  };
  const answer = async (exchange: QuickExchange): Promise<boolean> => {
    const { request } = exchange;
    const began = steadyMs();
    const sent = sentRequest(deps, request);
    const forAll = await keptFor({ ...deps, keepingOf }, request, sent);
    if (forAll !== null) {
      send(exchange, { id: forAll.id, route: path, began }, answerOf(bodyOf(forAll.answer), forAll));
      return true;
    }
    const context = admission.contextOf(request);
    const admitted = withDeadline(ANSWER_MS, async () => {
      await admission.admit(request);
      // What is wrong with a body that is no JSON, Express says.
      const known = sent.known();
      if (known !== null) await payFor(context, { type: known.operation.type, cost: known.cost });
      return known;
    });
    // Express meets the same error, and answers it.
    const known = await admitted.catch(() => null);
    if (known === null) return false;
    const id = watch.idOf(request);
    const { text } = await asRequest(id, () =>
      withDeadline(ANSWER_MS, () => executeKnown(known, context, deps.format)),
    );
    send(exchange, { id, route: path, began }, answerOf({ body: text }, context));
    return true;
  };
  return (request, response) => (isPlain(request, path) ? answer({ request, response }) : null);
}

function isPlain(request: IncomingMessage, path: string): boolean {
  const { method, url, headers } = request;
  return method === 'POST' && url === path && isPlainJson(request) && takesPlainJson(headers);
}

/** A request's body, read and parsed once from when it has arrived, however often it is asked for. */
interface SentRequest {
  /** Null unless all of it is at hand. */
  readonly text: () => string | null;
  /** Null for what is left to Express. */
  readonly known: () => KnownRequest | null;
}

function sentRequest({ documents }: QuickDocumentsDeps, request: IncomingMessage): SentRequest {
  let text: string | null = null;
  let known: KnownRequest | null | undefined;
  const textOf = (): string | null => (text ??= bodyAtHand(request, QUERY_BYTES));
  const knownOf = (): KnownRequest | null => {
    const sent = textOf();
    if (sent === null) return null;
    return known === undefined ? (known = knownRequest(documents, parsedJson(sent))) : known;
  };
  return { text: textOf, known: knownOf };
}

/** An answer that everybody gets who asks without a key. */
interface KeptForAll extends Pick<Context, 'allowance'> {
  readonly id: string;
  readonly answer: KeptAnswer;
}

/** Null, and nothing counted, for what is executed by itself; null too where a budget is spent. */
async function keptFor(
  { kept, keepingOf, counted, watch, newContext, format }: QuickDocumentsDeps & { readonly keepingOf: KeepingOf },
  request: IncomingMessage,
  sent: SentRequest,
): Promise<KeptForAll | null> {
  if (request.headers.authorization !== undefined) return null;
  // The parser hands the body over when the listener has returned.
  await Promise.resolve();
  const text = sent.text();
  if (text === null) return null;
  // No address has a space in it.
  const key = ` ${text}`;
  const found = await kept.current(key);
  const known = found === null && text.length <= LONGEST_KEPT ? sent.known() : null;
  const keeping = known && keepingOf(known);
  const quickRoute = found?.quickRoute ?? keeping?.quickRoute;
  if (quickRoute === undefined) return null;
  // Who asks for what is not ready pays for it, before its fields are counted.
  const [ofRequest, ...ofFields] = quickRoute.limits;
  const cost = known && { limit: 'queryCost' as const, uses: known.cost.used };
  const uses = cost && ofRequest ? [ofRequest, cost, ...ofFields] : quickRoute.limits;
  const { isWithin, allowance } = await counted.spend(request, uses);
  if (!isWithin) return null;
  const id = watch.idOf(request);
  const make = async (asked: KnownRequest) => {
    const { text: body, hasErrors } = await executeKnown(asked, newContext(request, true), format);
    return { body, forGood: false, isPassing: hasErrors };
  };
  const answer =
    found ??
    (known && keeping && (await asRequest(id, () => kept.answer(key, { ...keeping, make: () => make(known) }))));
  return answer && { id, answer, allowance };
}

function answerOf(content: Omit<QuickContent, 'type'>, context: Pick<Context, 'allowance'>): QuickAnswer {
  const headers = { Vary: 'Accept', ...answerHeaders(context) };
  return { status: 200, headers, etag: null, content: { type: JSON_TYPE, ...content } };
}

/** What all but a few answers depend on: rounds and results, the predictions of open rounds, agents, and the time. */
const USUAL = ['events', 'entries', 'agents', 'second'] as const satisfies readonly Dependency[];

/** Fields of Query that everybody without a key sees alike, and what their values depend on with all that hangs on them. */
const KEPT: Readonly<Partial<Record<keyof typeof ROOT_FIELD_LIMITS, readonly Dependency[]>>> = {
  currentRound: USUAL,
  nextRound: USUAL,
  schedule: ['second'],
  round: USUAL,
  rounds: USUAL,
  predictions: USUAL,
  agent: USUAL,
  agents: USUAL,
  leaderboard: USUAL,
  stats: USUAL,
  market: ['prices'],
};

/** Fields whose values change without anybody being told, several times a minute: documents that ask for them are executed each time. */
const UNTOLD = new Set(['reference', 'quotes', 'referenceBasis', 'evidence', 'agreedCandles']);

/** A longer request is executed each time. */
const LONGEST_KEPT = 8 * 1024;

/** How the answer is kept that everybody gets who asks without a key, as those of REST are. */
interface Keeping {
  readonly dependsOn: readonly Dependency[];
  readonly quickRoute: QuickRoute;
}

/** Null for a request that is executed by itself each time. */
type KeepingOf = (known: KnownRequest) => Keeping | null;

/** Worked out once for each selection. */
function keepings(path: string): KeepingOf {
  const known = new WeakMap<Selection, Keeping | null>();
  return ({ operation, variables }) => {
    if (operation.type !== OperationTypeNode.QUERY) return null;
    const selection = operation.selected(variables);
    const found = known.get(selection);
    if (found !== undefined) return found;
    const keeping = keepingFor(selection, path);
    known.set(selection, keeping);
    return keeping;
  };
}

function keepingFor(selection: Selection, path: string): Keeping | null {
  const dependsOn = new Set<Dependency>();
  const limits: LimitName[] = ['graphqlRequest'];
  for (const { definition, shape } of selection.fields) {
    const { name } = definition;
    const depends = isRootField(name) ? KEPT[name] : undefined;
    if (!isRootField(name) || depends === undefined || asksForUntold(shape)) return null;
    for (const one of depends) dependsOn.add(one);
    limits.push(ROOT_FIELD_LIMITS[name]);
  }
  return { dependsOn: [...dependsOn], quickRoute: { route: path, limits } };
}

function isRootField(name: string): name is keyof typeof ROOT_FIELD_LIMITS {
  return Object.hasOwn(ROOT_FIELD_LIMITS, name);
}

function asksForUntold(shape: Shape): boolean {
  if (shape.kind === 'list') return asksForUntold(shape.item);
  if (shape.kind === 'leaf') return false;
  return shape.selection.fields.some(
    ({ definition, shape: inner }) => UNTOLD.has(definition.name) || asksForUntold(inner),
  );
}
