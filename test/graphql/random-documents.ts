import {
  getNamedType,
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  isEnumType,
  isListType,
  isNonNullType,
  isObjectType,
} from 'graphql';

import { ASSETS } from '../../src/rules/assets.ts';
import type { Seeded } from '../support/seeded.ts';

interface Surroundings {
  readonly random: Seeded;
  /** Cursors that earlier answers gave. */
  readonly cursors: readonly string[];
  readonly names: readonly string[];
  /** The fields that are asked for; unset: all. */
  readonly isAsked?: (type: GraphQLObjectType, field: string) => boolean;
}

/** Fields that a random document begins with: all that a plan may read, and some that it never does. */
const ROOTS = [
  'round',
  'rounds',
  'predictions',
  'agent',
  'agents',
  'leaderboard',
  'currentRound',
  'nextRound',
  'stats',
];

const DEEPEST = 6;

/** Names that every object inherits: what is looked up by an alias must not find these. */
const INHERITED = ['toString', 'constructor', 'valueOf', 'hasOwnProperty'];

/** A query of the schema's own fields with arguments of which most are taken and some refused. */
export function randomDocument(schema: GraphQLSchema, around: Surroundings): string {
  const query = schema.getQueryType();
  if (!query) throw new Error('The schema has no queries');
  const { random } = around;
  const roots = Array.from({ length: random.between(1, 2) }, (_, at) => {
    const field = query.getFields()[random.pick(ROOTS)];
    return field === undefined ? '' : `r${at}: ${fieldText(field, around, 1)}`;
  });
  const switches = ['yes', 'no'].filter((name) => roots.some((root) => root.includes(`$${name}`)));
  const declared = switches.map((name) => `$${name}: Boolean = ${name === 'yes'}`).join(', ');
  return `query${declared === '' ? '' : ` (${declared})`} { ${roots.join(' ')} }`;
}

type Field = GraphQLField<unknown, unknown>;

function fieldText(field: Field, around: Surroundings, depth: number): string {
  const type = getNamedType(field.type);
  return `${field.name}${argumentsText(field, around)}${isObjectType(type) ? selectionText(type, around, depth) : ''}`;
}

function selectionText(type: GraphQLObjectType, around: Surroundings, depth: number): string {
  const { random } = around;
  const fields = Object.values(type.getFields()).filter(({ name }) => isAsked(around, type, name));
  const leaves = fields.filter((field) => !isObjectType(getNamedType(field.type)));
  const inner = fields.filter((field) => isObjectType(getNamedType(field.type)));
  const picked = Array.from({ length: random.between(1, 4) }, () => (leaves.length > 0 ? random.pick(leaves) : null));
  const isOpened = depth < DEEPEST && inner.length > 0;
  const opened = isOpened ? Array.from({ length: random.between(1, 2) }, () => random.pick(inner)) : [];
  const chosen = [...picked, ...opened].flatMap((field) => field ?? []);
  const aliases = [...INHERITED];
  const texts = chosen.map((field, at) => {
    const inherited = random.chance(field.args.length > 0 ? 0.5 : 0.1) ? aliases.pop() : undefined;
    const own = field.args.length > 0 || random.chance(0.1) ? `${field.name.slice(0, 3)}${depth}${at}` : undefined;
    const alias = inherited ?? own;
    return switched(`${alias === undefined ? '' : `${alias}: `}${fieldText(field, around, depth + 1)}`, type, random);
  });
  if (isAsked(around, type, 'edges') && 'nodes' in type.getFields() && random.chance(0.5))
    texts.push('nodes { __typename } edges { node { __typename } }');
  // An object that a leaf cannot be picked of needs some field all the same.
  return ` { ${texts.length > 0 ? texts.join(' ') : '__typename'} }`;
}

function isAsked({ isAsked: isWanted }: Surroundings, type: GraphQLObjectType, field: string): boolean {
  return isWanted?.(type, field) ?? true;
}

const SWITCHES = ['@include(if: true)', '@include(if: $yes)', '@skip(if: $no)', '@skip(if: true)', '@include(if: $no)'];

/** Some fields stand in a fragment, and with a switch that leaves it out or does not. */
function switched(text: string, { name }: GraphQLObjectType, random: Seeded): string {
  if (random.chance(0.8)) return text;
  return `... on ${name} ${random.chance(0.5) ? random.pick(SWITCHES) : ''} { __typename ${text} }`;
}

function argumentsText({ name, args }: Field, around: Surroundings): string {
  const { random } = around;
  if (name === 'agent' && args.length > 0)
    return random.chance(0.5)
      ? `(id: ${random.between(1, 9)})`
      : `(name: ${JSON.stringify(random.pick(around.names))})`;
  const given = args.flatMap((argument) => {
    const isNeeded = isNonNullType(argument.type) || argument.name === 'first' || argument.name === 'limit';
    return isNeeded || random.chance(0.2) ? [`${argument.name}: ${valueText(argument, around)}`] : [];
  });
  return given.length === 0 ? '' : `(${given.join(', ')})`;
}

function valueText({ name, type }: GraphQLArgument, { random, cursors, names }: Surroundings): string {
  const named = getNamedType(type);
  if (isEnumType(named)) {
    const value = random.pick(named.getValues()).name;
    return isListType(type) ? `[${value}]` : value;
  }
  if (name === 'after')
    return named.name === 'Int' ? String(random.between(0, 40)) : JSON.stringify(random.pick(['bogus', ...cursors]));
  if (name === 'first' || name === 'limit')
    return String(random.chance(0.03) ? random.pick([0, 101]) : random.between(1, 4));
  if (name === 'from' || name === 'to') return `"2026-01-01T${random.between(10, 23)}:00:00.000Z"`;
  if (name === 'nameStartsWith') return JSON.stringify(random.pick(names).slice(0, random.between(0, 7)));
  if (name === 'asset') return JSON.stringify(random.chance(0.1) ? 'XYZ' : random.pick(ASSETS));
  if (name === 'prediction') return JSON.stringify(random.pick(['YES', 'NO', ...ASSETS]));
  if (named.name === 'Boolean') return String(random.chance(0.5));
  return String(random.between(name === 'id' ? 1 : 0, 40));
}
