import { getNamedType, type GraphQLArgument, type GraphQLObjectType, type GraphQLSchema } from 'graphql';

import { WEBHOOK_KINDS } from '../entities/event.ts';
import { MAX_ID } from '../limits.ts';
import { checkAgentName, checkWalletAddress } from '../rules/agents.ts';
import { refused } from '../rules/errors.ts';
import { checkConfidence, checkIdempotencyKey } from '../rules/predictions.ts';
import { checkDefaultAnswers } from '../rules/default-answers.ts';
import { checkWebhookKinds } from '../rules/webhooks.ts';
import { addressOf, lineOf, rationaleOf } from '../rules/agent-texts.ts';
import type { Resolvers } from './schema-types.ts';

declare module 'graphql' {
  interface GraphQLArgumentExtensions {
    /** Throws for a value of the right type that the rules refuse. */
    check?: (value: unknown) => void;
  }
}

type Check = (value: unknown) => void;

/** Rules beyond types, attached to the schema's arguments for REST too: several faults are reported at once. */
const ARGUMENT_CHECKS: Readonly<
  Partial<Record<keyof Required<Resolvers>['Mutation'], Readonly<Record<string, Check>>>>
> = {
  register: { name: ofText(checkAgentName), walletAddress: ofText(checkWalletAddress) },
  submitPrediction: {
    confidence: ofNumber(checkConfidence),
    idempotencyKey: ofText(checkIdempotencyKey),
    rationale: ofText(rationaleOf),
    model: ofText((text) => lineOf('model', text)),
  },
  setStanding: { rows: checkDefaultAnswers },
  createWebhook: { kinds: (kinds) => Array.isArray(kinds) && checkWebhookKinds(kinds, WEBHOOK_KINDS) },
  updateMe: { about: ofText((text) => lineOf('about', text)), url: ofText(addressOf) },
};

export function attachChecks(schema: GraphQLSchema): void {
  for (const argument of [schema.getQueryType(), schema.getMutationType()].flatMap(idArguments)) {
    const checkOne = ofNumber((number) => checkId(argument.name, number));
    const check: Check = (value) => {
      for (const one of Array.isArray(value) ? value : [value]) checkOne(one);
    };
    argument.extensions = { ...argument.extensions, check };
  }
  for (const [name, checks] of Object.entries(ARGUMENT_CHECKS)) {
    const args = schema.getMutationType()?.getFields()[name]?.args ?? [];
    for (const [argument, check] of Object.entries(checks)) {
      const found = args.find((one) => one.name === argument);
      if (found === undefined) throw new Error(`${name} has no argument ${argument} to be checked`);
      found.extensions = { ...found.extensions, check };
    }
  }
}

/** An Int argument whose description gives no range (such as `1 to 100`) is an id. */
function idArguments(root: GraphQLObjectType | null | undefined): readonly GraphQLArgument[] {
  const args = Object.values(root?.getFields() ?? {}).flatMap((field) => field.args);
  return args.filter(({ type, description }) => getNamedType(type).name === 'Int' && !/ to \d/.test(description ?? ''));
}

export function checkId(name: string, id: number): void {
  if (Math.abs(id) > MAX_ID) throw refused(name, `a whole number up to ${MAX_ID}`, id);
}

function ofText(check: (text: string) => void): Check {
  return (value) => typeof value === 'string' && check(value);
}

function ofNumber(check: (number: number) => void): Check {
  return (value) => typeof value === 'number' && check(value);
}
