import type { GraphQLField, GraphQLSchema } from 'graphql';

import { checkAgentName, checkWalletAddress } from '../rules/agents.ts';
import { checkEach } from '../rules/errors.ts';
import { checkConfidence, checkIdempotencyKey } from '../rules/predictions.ts';
import type { Resolvers } from './schema-types.ts';

declare module 'graphql' {
  interface GraphQLArgumentExtensions {
    /** Throws the refusal of a value that has the argument's type and is not taken all the same. */
    check?: (value: unknown) => void;
  }
}

type Check = (value: unknown) => void;

type MutationName = keyof Required<Resolvers>['Mutation'];

/**
 * What the rules ask of arguments beyond their types. It is put on the schema's arguments, where REST finds it as well: whoever
 * sends several wrong values is told of all of them at once.
 */
const ARGUMENT_CHECKS: Readonly<Partial<Record<MutationName, Readonly<Record<string, Check>>>>> = {
  register: { name: ofText(checkAgentName), walletAddress: ofText(checkWalletAddress) },
  submitPrediction: { confidence: ofNumber(checkConfidence), idempotencyKey: ofText(checkIdempotencyKey) },
};

/** Puts the checks on the schema's arguments. Throws where there is no such argument. */
export function putChecks(schema: GraphQLSchema): void {
  for (const [name, checks] of Object.entries(ARGUMENT_CHECKS)) {
    const args = schema.getMutationType()?.getFields()[name]?.args ?? [];
    for (const [argument, check] of Object.entries(checks)) {
      const found = args.find((one) => one.name === argument);
      if (found === undefined) throw new Error(`${name} has no argument ${argument} to be checked`);
      found.extensions = { ...found.extensions, check };
    }
  }
}

type Arguments = Pick<GraphQLField<unknown, unknown>, 'args'>;

/** Throws one error for all arguments that are refused. */
export function checkArguments({ args }: Arguments, values: Readonly<Record<string, unknown>>): void {
  checkEach(args, ({ name, extensions }) => values[name] != null && extensions.check?.(values[name]));
}

function ofText(check: (text: string) => void): Check {
  return (value) => typeof value === 'string' && check(value);
}

function ofNumber(check: (number: number) => void): Check {
  return (value) => typeof value === 'number' && check(value);
}
