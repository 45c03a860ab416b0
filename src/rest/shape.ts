import { isObject } from '../http/bodies.ts';
import { itemsOf, type JsonSchema, nullable, objectOf, propertiesOf, propertyOf, without } from './described.ts';
import type { Data, Shape } from './endpoint.ts';

/* Parts of shapes: each changes data and its description together. */

/** A field of an object under construction; undefined omits it. */
interface Part extends Shape {
  readonly isSpread?: true;
  readonly isOptional?: true;
}

type Parts = Readonly<Record<string, Part>>;

export const SAME: Shape = { apply: (value) => value, describe: (described) => described };

export function spread(shape: Shape = SAME): Part {
  return { ...shape, isSpread: true };
}

export function optional(shape: Shape): Part {
  return { ...shape, isOptional: true };
}

export function objectFrom(parts: Parts): Shape {
  const entries = Object.entries(parts);
  return {
    apply(value, variables) {
      const object = {};
      for (const [name, part] of entries) put(object, name, part, part.apply(value, variables));
      return object;
    },
    describe: (described) =>
      describeParts(
        described,
        entries.map(([name, part]) => [name, part, part.describe(described)]),
      ),
  };
}

export const GONE = spread(objectFrom({}));

export function fields(changes: Parts): Shape {
  const parts = new Map(Object.entries(changes));
  return {
    apply(value, variables) {
      const object: Record<string, unknown> = {};
      const given = fieldsOf(value);
      for (const name in given) {
        const part = parts.get(name);
        if (part === undefined) object[name] = given[name];
        else put(object, name, part, part.apply(given[name], variables));
      }
      return object;
    },
    describe(described) {
      for (const name of parts.keys()) propertyOf(described, name);
      const shown = Object.entries(propertiesOf(described)).map(([name, one]) => {
        const part = parts.get(name) ?? SAME;
        return [name, part, part.describe(one)] as const;
      });
      return describeParts(described, shown);
    },
  };
}

function put(object: Record<string, unknown>, name: string, { isSpread }: Part, value: unknown): void {
  if (isSpread) Object.assign(object, value);
  else if (value !== undefined) object[name] = value;
}

function describeParts(
  { description }: JsonSchema,
  parts: readonly (readonly [string, Part, JsonSchema])[],
): JsonSchema {
  const all = parts.map(([name, { isSpread, isOptional }, described]) =>
    isSpread ? described : { properties: { [name]: described }, required: isOptional ? [] : [name] },
  );
  const properties = Object.assign({}, ...all.map(propertiesOf));
  return { ...objectOf(properties, description), required: all.flatMap(({ required = [] }) => required) };
}

/** The field at a path such as `me.webhooks`, through each shape in turn; null if an object on the path is null. */
export function at(path: string, ...shapes: readonly Shape[]): Shape {
  const names = path.split('.');
  return {
    apply(value, variables) {
      let found = value;
      for (const name of names) found = found === null ? null : fieldsOf(found)[name];
      for (const shape of shapes) found = shape.apply(found, variables);
      return found;
    },
    describe: (described) => shapes.reduce((found, shape) => shape.describe(found), names.reduce(memberOf, described)),
  };
}

function memberOf(described: JsonSchema, name: string): JsonSchema {
  return described.additionalProperties ?? propertyOf(described, name);
}

/** Changes the object `name` by `shape`, without the fields `names`, which follow it as siblings. */
export function raised(name: string, names: readonly string[], shape: Shape): Shape {
  const rest = fields(partsOf(names, () => GONE));
  return objectFrom({ [name]: at(name, rest, shape), ...partsOf(names, (one) => at(`${name}.${one}`)) });
}

export function partsOf(names: readonly string[], partOf: (name: string) => Part): Parts {
  return Object.fromEntries(names.map((name) => [name, partOf(name)]));
}

export function each(shape: Shape): Shape {
  return {
    apply: (value, variables) => listOf(value).map((one) => shape.apply(one, variables)),
    describe: (list) => ({ ...list, type: 'array', items: shape.describe(itemsOf(list)) }),
  };
}

export function keyed(key: string, shape: Shape = SAME): Shape {
  return {
    apply(value, variables) {
      const object: Record<string, unknown> = {};
      for (const { [key]: name, ...rest } of listOf(value)) object[String(name)] = shape.apply(rest, variables);
      return object;
    },
    describe(list) {
      const values = shape.describe(objectOf(without(propertiesOf(itemsOf(list)), [key])));
      return { type: 'object', description: list.description ?? '', additionalProperties: values };
    },
  };
}

export function orNull(shape: Shape = SAME): Shape {
  return { ...or(null, shape), describe: (described) => nullable(shape.describe(described)) };
}

export function or(instead: unknown, shape: Shape = SAME): Shape {
  return { ...shape, apply: (value, variables) => (value === null ? instead : shape.apply(value, variables)) };
}

export function withText(description: string, shape: Shape): Shape {
  return { ...shape, describe: (described) => ({ ...shape.describe(described), description }) };
}

export function fieldsOf(value: unknown): Data {
  if (isObject(value)) return value;
  throw new TypeError('The shape needs an object where the document returned another value');
}

export function listOf(value: unknown): readonly Data[] {
  if (Array.isArray(value)) return value.map(fieldsOf);
  throw new TypeError('The shape needs a list where the document returned another value');
}
