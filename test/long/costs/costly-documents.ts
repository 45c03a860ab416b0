import {
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  isLeafType,
  isListType,
  isObjectType,
  isRequiredArgument,
  parse,
} from 'graphql';

import { SIZE_ARGUMENTS } from '../../../src/graphql/list-bounds.ts';
import { QUERY_LIMITS } from '../../../src/limits.ts';
import { documentCost } from '../../graphql/document-cost.ts';
import { DECIDED_ROUND } from './decided-rounds.ts';

/** Sizes that lists are asked for, and how often a field stands below another name, the most first. */
const SIZES = [100, 60, 35, 20, 12, 6, 3, 1];
const ALIASES = [28, 14, 7, 3, 1];

/** Fields that only hold a page together. */
const ENVELOPE = ['edges', 'pageInfo'];

/** Paths of so many fields are followed. */
const LONGEST = 4;

type Field = GraphQLField<unknown, unknown>;

/** Fields one below the other, each with the type that it is of. */
type Path = readonly { readonly parent: GraphQLObjectType; readonly field: Field }[];

/** A field of Query or Subscription, with all that is below it. */
interface Root {
  readonly parent: GraphQLObjectType;
  readonly field: Field;
}

/**
 * For every field that is reached over at most `LONGEST` fields from `root` on the documents that ask for it as often as
 * the limits allow: inside the longest lists, and under the most names.
 */
export function costlyDocuments(root: Root, schema: GraphQLSchema): readonly string[] {
  const meter = documentCost(schema);
  const fits = (query: string): boolean => {
    try {
      return meter({ document: parse(query) }) !== null;
    } catch {
      return false;
    }
  };
  const kind = root.parent === schema.getSubscriptionType() ? 'subscription ' : '';
  const firstThatFits = (documents: readonly string[]): string | undefined => documents.find(fits);
  const found = pathsFrom(root).flatMap((path) => {
    const of = (size: number, aliases: number): string => kind + documentOf(path, size, aliases);
    const widest = firstThatFits(SIZES.flatMap((size) => ALIASES.map((aliases) => of(size, aliases))));
    const longest = firstThatFits(ALIASES.flatMap((aliases) => SIZES.map((size) => of(size, aliases))));
    return [widest ?? [], longest ?? []].flat();
  });
  return [...new Set(found)];
}

/**
 * Through pages by their nodes. What lies below a type is followed from the first field alone that leads to it; a leaf has a
 * document of its own where it is a list or is worked out.
 */
function pathsFrom(root: Root): readonly Path[] {
  const found: Path[] = [[root]];
  const seen = new Set<string>();
  for (const path of found) {
    const type = getNamedType(path.at(-1)?.field.type ?? root.field.type);
    if (!isObjectType(type) || seen.has(type.name) || path.length === LONGEST) continue;
    seen.add(type.name);
    for (const field of Object.values(type.getFields())) {
      const isShown =
        isObjectType(getNamedType(field.type)) || isListType(getNullableType(field.type)) || field.resolve;
      if (isShown && !ENVELOPE.includes(field.name)) found.push([...path, { parent: type, field }]);
    }
  }
  return found;
}

/** The path's last field under `aliases` names, inside lists of `size`. */
function documentOf(path: Path, size: number, aliases: number): string {
  return path.reduceRight((inner, { field }, at) => {
    const next = getNamedType(field.type);
    const own = isObjectType(next) && inner === '' ? leavesOf(next) : inner;
    const most = at === 0 ? Math.min(aliases, QUERY_LIMITS.rootFields) : aliases;
    const names = Array.from({ length: most }, (_, n) => `a${n}: ${field.name}${argumentsOf(field, size, n)} ${own}`);
    const isLast = at === path.length - 1;
    return isLast ? `{ ${names.join(' ')} }` : `{ ${field.name}${argumentsOf(field, size, 0)} ${own} }`;
  }, '');
}

function leavesOf(type: GraphQLObjectType): string {
  const leaves = Object.values(type.getFields()).filter(
    ({ type: of, args }) => isLeafType(getNamedType(of)) && !args.some(isRequiredArgument),
  );
  return `{ __typename ${leaves.map(({ name }) => name).join(' ')} }`;
}

/** Values of arguments that must be given, or that ask for the most. */
const ARGUMENTS: Readonly<Record<string, (n: number) => string>> = {
  'round.id': (n) => `id: ${DECIDED_ROUND + n}`,
  'agent.id': (n) => `id: ${1 + n}`,
  'webhook.id': () => 'id: 1',
  'leaderboardArchive.period': () => 'period: "2026-01-02"',
  'breakdown.by': () => 'by: [QUESTION_TYPE, ASSET]',
  'benchmark.name': (n) => `name: ${['price', 'arena', 'crowd', 'coin'][n % 4]}`,
  'headToHead.a': (n) => `a: ${1 + n}`,
  'headToHead.b': (n) => `b: ${101 + n}`,
  'candles.asset': () => 'asset: BTC',
  // No checkpoints.
  'forecast.minute': (n) => `minute: ${[1, 2, 3, 4, 6, 7, 8, 9, 11, 12][n % 10] ?? 1}`,
  'leaderboard.period': () => 'period: alltime',
  'rounds.status': () => 'status: [resolved]',
  'events.after': () => 'after: 0',
};

const MOST: Readonly<Record<string, number>> = { hours: 168, points: 240 };

function argumentsOf({ name, args }: Field, size: number, n: number): string {
  const given = args.flatMap((argument) => {
    const made = ARGUMENTS[`${name}.${argument.name}`];
    if (made !== undefined) return [made(n)];
    if (Object.hasOwn(SIZE_ARGUMENTS, argument.name))
      return [`${argument.name}: ${Math.min(size, MOST[argument.name] ?? 100)}`];
    return [];
  });
  return given.length === 0 ? '' : `(${given.join(', ')})`;
}
