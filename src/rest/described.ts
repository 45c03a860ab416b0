import { STATUS_OF } from '../http/errors.ts';

export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly format?: string;
  readonly pattern?: string;
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly minimum?: number;
  readonly maximum?: number;
  readonly default?: unknown;
  readonly items?: JsonSchema;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Properties;
  readonly required?: readonly string[];
  readonly additionalProperties?: JsonSchema;
}

export type Properties = Readonly<Record<string, JsonSchema>>;

export function objectOf(properties: Properties, description?: string): JsonSchema {
  return {
    type: 'object',
    ...(description === undefined ? {} : { description }),
    properties,
    required: Object.keys(properties),
  };
}

export function wholeFrom(minimum: number, description: string): JsonSchema {
  return { type: 'integer', minimum, description };
}

export function nullable(described: JsonSchema): JsonSchema {
  const { type, anyOf, description, ...rest } = described;
  const text = description === undefined ? {} : { description };
  if (typeof type === 'string') return { ...rest, ...text, type: [type, 'null'] };
  if (Array.isArray(type) || anyOf?.some((one) => one.type === 'null')) return described;
  return { ...text, anyOf: [{ ...rest, ...(anyOf ? { anyOf } : {}) }, { type: 'null' }] };
}

/** A described type, but no reference, without null. */
export function present(described: JsonSchema): JsonSchema {
  const [type] = [described.type].flat();
  return type === undefined ? described : { ...described, type };
}

export function propertiesOf(described: JsonSchema | undefined): Properties {
  if (described?.properties !== undefined) return described.properties;
  throw new TypeError('A shape describes fields of something that its document does not hold');
}

export function propertyOf(described: JsonSchema | undefined, name: string): JsonSchema {
  const property = propertiesOf(described)[name];
  if (property !== undefined) return property;
  throw new TypeError(`A shape describes a field ${name} that its document does not ask for`);
}

export function itemsOf(described: JsonSchema): JsonSchema {
  if (described.items !== undefined) return described.items;
  throw new TypeError('A shape describes items of something that is no list');
}

export function without(properties: Properties, names: readonly string[]): Properties {
  return Object.fromEntries(Object.entries(properties).filter(([name]) => !names.includes(name)));
}

const OTHER_NAMES: Readonly<Record<string, string>> = {
  endCursor: 'next',
  ...Object.fromEntries(Object.entries(STATUS_OF).map(([code, status]) => [code, String(status)])),
};

/** A schema description with REST's names: `total_wins`, and a status instead of a GraphQL code. */
export function inRestSpelling(text: string): string {
  return text.replaceAll(/`(\w+)`/g, (whole, name: string) => {
    const other = OTHER_NAMES[name];
    if (other !== undefined) return /^\d/.test(other) ? other : `\`${other}\``;
    return /^[a-z]/.test(name) ? whole.replaceAll(/(?<=[a-z])([A-Z]|\d+)/g, (part) => `_${part.toLowerCase()}`) : whole;
  });
}
