import { OperationTypeNode } from 'graphql';

import type { Dependency, KeptAnswer, KeptAnswers, QuickRoute } from '../http/kept-answers.ts';
import { type LimitName, ROOT_FIELD_LIMITS } from '../limits.ts';
import type { ErrorFormatter } from './errors.ts';
import { executeKnown, type KnownRequest } from './known-answers.ts';
import type { Selection, Shape } from './selection.ts';

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

interface KeptDocumentsDeps {
  readonly path: string;
  readonly kept: KeptAnswers;
  readonly format: ErrorFormatter;
}

/** Answers of documents that everybody gets who asks without a key, kept as those of REST are. */
export interface KeptDocuments {
  /** The answer to the request that has this text for a body, if it still holds. */
  current(text: string): KeptAnswer | null | Promise<KeptAnswer | null>;
  /** What a request spends and how its answer is kept; null for one that is executed by itself each time. */
  recipeOf(text: string, known: KnownRequest): KeptRecipe | null;
}

export interface KeptRecipe {
  readonly limits: readonly LimitName[];
  /** The answer, executed by a `context` that counts nothing unless one holds or is being made. */
  readonly answer: (context: unknown) => Promise<KeptAnswer>;
}

interface Keeping {
  readonly dependsOn: readonly Dependency[];
  readonly quickRoute: QuickRoute;
}

export function keptDocuments({ path, kept, format }: KeptDocumentsDeps): KeptDocuments {
  const known = new WeakMap<Selection, Keeping | 'executed'>();
  const keepingOf = (selection: Selection): Keeping | 'executed' => {
    const found = known.get(selection) ?? worksOut(selection, path);
    known.set(selection, found);
    return found;
  };
  return {
    current: (text) => kept.current(keyOf(text)),
    recipeOf(text, request) {
      const { operation, variables } = request;
      if (operation.type !== OperationTypeNode.QUERY || text.length > LONGEST_KEPT) return null;
      const keeping = keepingOf(operation.selected(variables));
      if (keeping === 'executed') return null;
      const make = async (context: unknown) => {
        const { text: body, hasErrors } = await executeKnown(request, context, format);
        return { body, forGood: false, isPassing: hasErrors };
      };
      return {
        limits: keeping.quickRoute.limits,
        answer: (context) => kept.answer(keyOf(text), { ...keeping, make: () => make(context) }),
      };
    },
  };
}

/** No address has a space in it. */
function keyOf(text: string): string {
  return ` ${text}`;
}

function worksOut(selection: Selection, path: string): Keeping | 'executed' {
  const dependsOn = new Set<Dependency>();
  const limits: LimitName[] = ['graphqlRequest'];
  for (const { definition, shape } of selection.fields) {
    const { name } = definition;
    const depends = isRootField(name) ? KEPT[name] : undefined;
    if (!isRootField(name) || depends === undefined || asksForUntold(shape)) return 'executed';
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
