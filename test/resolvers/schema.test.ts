import { describe, expect, test } from '@jest/globals';
import { readFileSync } from 'node:fs';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLNamedType,
  isEnumType,
  isInputObjectType,
  isIntrospectionType,
  isObjectType,
  isSpecifiedScalarType,
} from 'graphql';

import { changeList, migrationList, schemaTypes } from '../../scripts/codegen.ts';
import { LIMITS, ROOT_FIELD_LIMITS } from '../../src/limits.ts';
import { makeSchema } from '../../src/resolvers/schema.ts';
import { AGENT_MODES } from '../../src/rules/agents.ts';
import { PREDICTION_FORMATS, QUESTION_TYPES } from '../../src/rules/questions/question.ts';
import { ROUND_STATUSES, VOID_REASONS } from '../../src/rules/round-states.ts';
import { TIER_NAMES } from '../../src/rules/tiers.ts';
import { PERIODS } from '../../src/rules/windows.ts';

const FILE = new URL('../../schema.graphql', import.meta.url);
const CHANGES = 'src/resolvers/changes.json';
const MIGRATION_LIST = new URL('../../src/entities/migrations/index.ts', import.meta.url);
const TYPES = new URL('../../src/resolvers/schema-types.ts', import.meta.url);

const schema = buildSchema(readFileSync(FILE, 'utf8'));
const types = Object.values(schema.getTypeMap()).filter(
  (type) => !isIntrospectionType(type) && !isSpecifiedScalarType(type),
);
const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()].filter(
  (type) => type != null,
);

interface Described {
  readonly place: string;
  readonly description: string | null | undefined;
}

/** A type and all that has a name in it. */
function* partsOf(type: GraphQLNamedType): Generator<Described> {
  yield { place: type.name, description: type.description };
  if (isEnumType(type)) {
    for (const { name, description } of type.getValues()) yield { place: `${type.name}.${name}`, description };
  }
  if (isInputObjectType(type)) {
    for (const { name, description } of Object.values(type.getFields()))
      yield { place: `${type.name}.${name}`, description };
  }
  if (isObjectType(type)) for (const field of Object.values(type.getFields())) yield* partsOfField(type.name, field);
}

function* partsOfField(owner: string, field: GraphQLField<unknown, unknown>): Generator<Described> {
  yield { place: `${owner}.${field.name}`, description: field.description };
  for (const { name, description } of field.args) yield { place: `${owner}.${field.name}(${name})`, description };
}

describe('schema', () => {
  test('the schema has a description of every type, field, argument and value', () => {
    const parts = types.flatMap((type) => [...partsOf(type)]);
    expect(parts.length).toBeGreaterThan(150);
    expect(parts.filter(({ description }) => !description?.trim()).map(({ place }) => place)).toEqual([]);
    expect(
      parts.filter(({ description }) => !/[.`]$/.test(description?.trim() ?? '')).map(({ place }) => place),
    ).toEqual([]);
  });

  test('introspection has every description, also of scalars and roots', () => {
    const shown = Object.values(makeSchema().getTypeMap());
    for (const { name, description } of types) {
      expect({ name, description: shown.find((type) => type.name === name)?.description }).toEqual({
        name,
        description,
      });
    }
  });

  test('the types of resolvers are current: run `npm run codegen` after changing the schema', async () => {
    expect(readFileSync(TYPES, 'utf8')).toBe(await schemaTypes());
  });

  test('the list of changes is current: run `npm run codegen` after changing a released section of the changelog', async () => {
    expect(readFileSync(CHANGES, 'utf8')).toBe(await changeList());
  });

  test('the list of migrations is current: run `npm run codegen` after adding one', async () => {
    expect(readFileSync(MIGRATION_LIST, 'utf8')).toBe(await migrationList());
  });

  const lists: readonly (readonly [string, readonly string[]])[] = [
    ['QuestionType', QUESTION_TYPES],
    ['RoundStatus', ROUND_STATUSES],
    ['VoidReason', VOID_REASONS],
    ['PredictionFormat', PREDICTION_FORMATS],
    ['Period', PERIODS],
    ['Tier', TIER_NAMES],
    ['AgentMode', AGENT_MODES],
  ];
  test.each(lists)('the values of %s are those of the rules', (name, listed) => {
    const type = schema.getType(name);
    const values = isEnumType(type) ? type.getValues().map((value) => value.name) : [];
    expect(values.toSorted()).toEqual([...listed].toSorted());
  });

  test('each root field has a limit, and each limit a field', () => {
    const fields = roots.flatMap((root) => Object.keys(root.getFields()));
    expect([...ROOT_FIELD_LIMITS.keys()].toSorted()).toEqual(fields.toSorted());
    expect([...ROOT_FIELD_LIMITS.values()].filter((limit) => !(limit in LIMITS))).toEqual([]);
    const listed = Object.values(LIMITS).flatMap((row) => ('fields' in row ? row.fields : []));
    expect(listed.toSorted()).toEqual(fields.toSorted());
  });

  test('each root field has a resolver', () => {
    const made = makeSchema();
    for (const root of [made.getQueryType(), made.getMutationType()]) {
      for (const field of Object.values(root?.getFields() ?? {})) {
        expect([field.name, typeof field.resolve]).toEqual([field.name, 'function']);
      }
    }
  });
});

/** contract.md's words. `agents` comes with its own issue. */
const CONTRACT = `
  Query.currentRound: Round
  Query.nextRound: Round
  Query.round(id: Int!): Round
  Query.rounds(first: Int, after: String, status: [RoundStatus!], questionType: [QuestionType!], asset: String, from: DateTime, to: DateTime): RoundConnection!
  Query.agent(id: Int, name: String): Agent
  Query.leaderboard(period: Period = weekly, limit: Int = 50): Leaderboard!
  Query.me: Agent
  Query.market: Market!
  Query.stats: Stats!
  Query.health: Health!
  Query.schedule(hours: Int = 24): [ScheduledRound!]!
  Mutation.register(name: String!, mode: AgentMode, walletAddress: String): Registration!
  Mutation.submitPrediction(roundId: Int!, prediction: String!, confidence: Int!): Prediction!
  Mutation.rotateKey: RotatedKey!
  Mutation.activate: Activation!
  Leaderboard.period: Period!
  Leaderboard.updatedAt: DateTime!
  Leaderboard.rankings: [LeaderboardRow!]!
  Registration.agent: Agent!
  Registration.apiKey: String!
  RotatedKey.apiKey: String!
  RotatedKey.message: String!
  Activation.mode: AgentMode!
  Activation.message: String!
  Activation.nextRound: Round!
  RoundConnection.edges: [RoundEdge!]!
  RoundConnection.pageInfo: PageInfo!
  RoundEdge.node: Round!
  Prediction.agent: Agent!
  Prediction.round: Round!
  LeaderboardRow.agent: Agent!
`;

describe('contract', () => {
  test.each(
    CONTRACT.trim()
      .split('\n')
      .map((line) => line.trim()),
  )('the schema has %s', (line) => {
    const [, owner = '', name = '', promised = '', type = ''] = /^(\w+)\.(\w+)(?:\((.*)\))?: (.+)$/.exec(line) ?? [];
    const found = schema.getType(owner);
    const field = isObjectType(found) ? found.getFields()[name] : undefined;
    expect(String(field?.type)).toBe(type);
    const args = new Map(field?.args.map((arg) => [arg.name, arg]));
    for (const argument of promised.split(', ').filter(Boolean)) {
      const [, argumentName = '', argumentType, value] = /^(\w+): (\S+)(?: = (\w+))?$/.exec(argument) ?? [];
      const arg = args.get(argumentName);
      expect([argumentName, String(arg?.type)]).toEqual([argumentName, argumentType]);
      if (value !== undefined) expect(String(arg?.defaultValue)).toBe(value);
      args.delete(argumentName);
    }
    // What the contract does not name may be left out.
    expect(
      [...args.values()].filter((arg) => String(arg.type).endsWith('!') && arg.defaultValue === undefined),
    ).toEqual([]);
  });
});
