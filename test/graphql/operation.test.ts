import { describe, expect, test } from '@jest/globals';
import * as fc from 'fast-check';
import {
  buildSchema,
  execute,
  type ExecutionResult,
  getIntrospectionQuery,
  type GraphQLError,
  parse,
  validate,
} from 'graphql';

import { compiledDocument } from '../../src/graphql/operation.ts';
import { nullPlace } from './null-place.ts';

const SCHEMA = buildSchema(`
  enum Colour { red green }
  type Query { thing: Thing  sure: Thing!  things(first: Int = 2): [Thing!]  sureThings: [Thing]!  echo(text: String!): String }
  type Mutation { set(to: Int!): Int  setSure(to: Int!): Int! }
  type Thing {
    n: Int  sureN: Int!  colour: Colour  rows: [[Int!]]
    thing: Thing  sure: Thing!  things(first: Int = 2): [Thing!]  sureThings: [Thing]!
  }
`);

/** What a resolver does, told by its field's path: so that two executions meet the same. */
const VALUES = [1, 2 ** 40, 'red', 'blue', null, undefined, [[1], null, [null]], 'not a list', new Error('as a value')];

interface Chance {
  readonly seed: number;
  readonly failing: number;
  readonly late: number;
}

function rootOf(chance: Chance, depth = 0, path = ''): object {
  return new Proxy(
    {},
    {
      get: (_target, name) =>
        typeof name === 'string' && name !== 'then' ? fieldOf(chance, depth, `${path}.${name}`) : undefined,
      has: (_target, name) => name !== 'then',
    },
  );
}

function fieldOf(chance: Chance, depth: number, path: string) {
  const lot = (what: string) => hash(`${chance.seed} ${path} ${what}`);
  const name = path.slice(path.lastIndexOf('.') + 1);
  return (args: { first?: number; to?: number; text?: string }) => {
    const value = (): unknown => {
      if (lot('fails') % 100 < chance.failing) throw new Error(`failed ${path}`);
      if (args.text !== undefined) return args.text;
      if (args.to !== undefined) return args.to;
      if (lot('odd') % 100 < chance.failing) return VALUES[lot('value') % VALUES.length];
      if (/things/i.test(name))
        return Array.from({ length: args.first ?? 3 }, (_, index) => rootOf(chance, depth + 1, `${path}.${index}`));
      if (/thing|^sure$/i.test(name)) return rootOf(chance, depth + 1, path);
      return name === 'colour' ? 'green' : name === 'rows' ? [[1, 2], [3]] : lot('number') % 1000;
    };
    return lot('late') % 100 < chance.late ? Promise.resolve().then(value) : value();
  };
}

function hash(text: string): number {
  let sum = 7;
  for (const character of text) sum = (sum * 31 + character.charCodeAt(0)) >>> 0;
  return (sum ^ (sum >>> 13)) >>> 0;
}

const LEAVES = [
  'n',
  'sureN',
  'colour',
  'rows',
  '__typename',
  'alias: n',
  'n @skip(if: $off)',
  'sureN @include(if: $on)',
];
const PARENTS = [
  'thing',
  'sure',
  'things',
  'many: things(first: $first)',
  'some: things(first: $some)',
  'sureThings',
  'thing @include(if: $on)',
  '...on Thing',
];

const selection: fc.Arbitrary<string> = fc.letrec<{ set: string; field: string; nested: string }>((tie) => ({
  nested: fc.tuple(fc.constantFrom(...PARENTS), tie('set')).map(([parent, set]) => `${parent} ${set}`),
  field: fc.oneof({ maxDepth: 3, withCrossShrink: true }, fc.constantFrom(...LEAVES), tie('nested')),
  set: fc.array(tie('field'), { minLength: 1, maxLength: 4 }).map((fields) => `{ ${fields.join(' ')} }`),
})).set;

const text = fc
  .array(
    fc.tuple(fc.constantFrom('thing', 'sure', 'things', 'sureThings', 'again: things(first: $first)'), selection),
    { minLength: 1, maxLength: 4 },
  )
  .map(
    (roots) =>
      `query ($on: Boolean!, $off: Boolean = false, $first: Int = 1, $some: Int) { __typename echo(text: "a") ${roots.map(([root, set]) => `${root} ${set}`).join(' ')} }`,
  );

/** Not some late and others not: graphql-js leaves the late ones of a list unhandled then, which would end the process. */
const chance = fc.record({
  seed: fc.nat(10_000),
  failing: fc.constantFrom(0, 4, 25),
  late: fc.constantFrom(0, 100),
});

/** Without it the argument has the schema's default; `null` is a value. */
const someOrNone = fc.constantFrom({}, { some: null }, { some: 1 });

interface Answered {
  readonly data?: unknown;
  readonly errors?: readonly GraphQLError[] | undefined;
}

/**
 * An answer as it is compared. Where something failed late, graphql-js itself tells those errors below a null that came in
 * time: so of them counts which places of the answer they made null.
 */
function compared({ data, errors = [] }: Answered, isLate: boolean) {
  const messages = errors.map((error) =>
    isLate ? JSON.stringify(nullPlace(data, error.path ?? [])) : JSON.stringify(error),
  );
  return { data: JSON.stringify(data), errors: [...new Set(messages)].toSorted() };
}

const operationOf = (query: string, name: string | null) => compiledDocument(SCHEMA, parse(query)).operation(name);

describe('compiled document', () => {
  test('a compiled document has the answer and errors of graphql-js', async () => {
    await fc.assert(
      fc.asyncProperty(text, chance, fc.boolean(), someOrNone, async (query, lots, on, some) => {
        const document = parse(query);
        fc.pre(validate(SCHEMA, document).length === 0);
        const variables = { on, first: 2, ...some };
        const expected: ExecutionResult = await execute({
          schema: SCHEMA,
          document,
          variableValues: variables,
          rootValue: rootOf(lots),
        });
        const operation = compiledDocument(SCHEMA, document).operation(null);
        const coerced = operation?.coerce(variables).coerced;
        const found =
          coerced && (await operation?.execute({ context: {}, variables: coerced, rootValue: rootOf(lots) }));
        expect(found && compared(found, lots.late > 0)).toEqual(compared(expected, lots.late > 0));
      }),
      { numRuns: 200 },
    );
  });

  test('a compiled mutation executes its fields in turn, and fails like graphql-js', async () => {
    const document = parse('mutation ($to: Int!) { a: set(to: 1) b: setSure(to: $to) c: set(to: 3) }');
    const answers = ['a', 'b', 'none'].map(async (failing) => {
      const times: number[] = [];
      const set = async ({ to }: { to: number }) => {
        times.push(to);
        await Promise.resolve();
        if (to === ['a', 'b'].indexOf(failing) + 1) throw new Error(`${to} failed`);
        return to;
      };
      const rootValue = { set, setSure: set };
      const byGraphqlJs = await execute({ schema: SCHEMA, document, rootValue, variableValues: { to: 2 } });
      const operation = compiledDocument(SCHEMA, document).operation(null);
      const compiled = await operation?.execute({ context: {}, variables: { to: 2 }, rootValue });
      return { byGraphqlJs, compiled, times };
    });
    for (const { byGraphqlJs, compiled, times } of await Promise.all(answers)) {
      expect(compiled && compared(compiled, false)).toEqual(compared(byGraphqlJs, false));
      expect(times.slice(times.length / 2)).toEqual(times.slice(0, times.length / 2));
    }
  });

  test.each([
    getIntrospectionQuery({ inputValueDeprecation: true, oneOf: true, specifiedByUrl: true, schemaDescription: true }),
    '{ ...F } fragment F on Query { __type(name: "Thing") { name fields { name type { kind ofType { name } } } } }',
    'query ($name: String!) { nothing: __type(name: $name) { name } echo(text: "a") }',
    '{ __proto__: __typename a: __typename }',
    'query ($__proto__: Int = 3) { things(first: $__proto__) { __proto__: __typename } }',
  ])('a compiled document answers introspection and odd names like graphql-js: %s', async (query) => {
    const document = parse(query);
    expect(validate(SCHEMA, document)).toEqual([]);
    const variables = { name: 'Nothing' };
    const rootValue = rootOf({ seed: 1, failing: 0, late: 0 });
    const expected = await execute({ schema: SCHEMA, document, rootValue, variableValues: variables });
    const operation = operationOf(query, null);
    const { coerced = {} } = operation?.coerce(variables) ?? {};
    const found = await operation?.execute({ context: {}, variables: coerced, rootValue });
    expect(JSON.stringify(found)).toBe(JSON.stringify({ data: expected.data }));
  });

  test('a compiled document has no operation without a name among several, or of an unknown name', () => {
    expect(operationOf('query A { __typename } query B { __typename }', null)).toBeNull();
    expect(operationOf('query A { __typename }', 'B')).toBeNull();
    expect(operationOf('query A { __typename } query B { __typename }', 'B')).not.toBeNull();
  });

  test('an answer with an error comes once all started work has ended', async () => {
    const started = Promise.withResolvers<null>();
    const rows = [{ n: started.promise }, { things: [started.promise, null] }];
    const operation = operationOf('{ sure { n things { n } sureN } }', null);
    const answers = rows.map(async (row) => {
      const rootValue = { sure: { ...row, sureN: null } };
      return (await operation?.execute({ context: {}, variables: {}, rootValue }))?.data;
    });
    const late = new Promise((resolve) => setImmediate(resolve, 'later'));
    expect(await Promise.race([...answers, late])).toBe('later');
    started.resolve(null);
    expect(await Promise.all(answers)).toEqual([null, null]);
  });

  test('a compiled document keeps its selections by the variables of directives, unless they are long', () => {
    const operation = operationOf('query ($on: Boolean!) { thing @include(if: $on) { n } }', null);
    const [first, other] = [operation?.selected({ on: true }), operation?.selected({ on: false })];
    expect(other).not.toBe(first);
    expect(operation?.selected({ on: true, first: 3 })).toBe(first);
    const long = { on: 'x'.repeat(257) };
    expect(operation?.selected(long)).not.toBe(operation?.selected(long));
  });

  test('a compiled document refuses invalid variables', () => {
    const operation = compiledDocument(
      SCHEMA,
      parse('query ($first: Int!, $more: Int = 4) { things(first: $first) { n } }'),
    ).operation(null);
    expect(
      [{}, { first: null }, { first: '2' }, { first: 2 }].map((given) => operation?.coerce(given).coerced),
    ).toEqual([undefined, undefined, undefined, { first: 2, more: 4 }]);
  });
});
