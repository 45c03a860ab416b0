/** The part of JSON Schema that the reference uses. */
export interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly default?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly maxItems?: number;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: Schema;
}

export type Schemas = Readonly<Record<string, Schema>>;

/** `request`: the service reads such values, so it may only accept more; `answer`: it writes them, so it may only promise more. */
export type Direction = 'request' | 'answer';

/** Receives the named object that has the change, null outside of one, with a clause about it. */
type Report = (named: string | null, clause: string) => void;

type Pair = readonly [before: Schema, after: Schema];

const LOWER_BOUNDS = ['minimum', 'minLength'] as const;
const UPPER_BOUNDS = ['maximum', 'maxLength', 'maxItems'] as const;

/** Compares the schemas of two documents; a pair of named objects is compared once in each direction. */
export function schemaComparison(before: Schemas, after: Schemas, report: Report) {
  const seen = new Set<string>();
  const resolved = (schema: Schema, all: Schemas): Schema =>
    schema.$ref === undefined ? schema : (all[refName(schema.$ref)] ?? {});

  function compare([one, other]: Pair, direction: Direction, at: string, named: string | null): void {
    const ref = other.$ref === undefined ? null : refName(other.$ref);
    if (ref !== null && one.$ref !== undefined) {
      const key = `${direction} ${one.$ref} ${ref}`;
      if (seen.has(key)) return;
      seen.add(key);
      return compareParts([resolved(one, before), resolved(other, after)], direction, '', ref);
    }
    compareParts([resolved(one, before), resolved(other, after)], direction, at, named);
  }

  function compareParts([one, other]: Pair, direction: Direction, at: string, named: string | null): void {
    const [ones, others] = [alternativesOf(one, before), alternativesOf(other, after)];
    const [source, target] = direction === 'request' ? [ones, others] : [others, ones];
    for (const [kind] of source) {
      if (target.has(kind) || (kind === 'integer' && target.has('number'))) continue;
      // Another kind of event is an addition, as another value of an enum.
      if (direction === 'answer' && kind in after) continue;
      report(named, `${at || 'it'} ${direction === 'request' ? 'no longer accepts' : 'may now be'} ${kind}`);
    }
    for (const [kind, part] of ones) {
      const same = others.get(kind);
      if (same === undefined) continue;
      if (part.$ref === undefined && same.$ref === undefined) compareOne([part, same], direction, at, named);
      else compare([part, same], direction, at, named);
    }
  }

  function compareOne([one, other]: Pair, direction: Direction, at: string, named: string | null): void {
    for (const clause of valueChanges([one, other], direction)) report(named, `${at || 'it'} ${clause}`);
    const inside = (name: string): string => (at === '' ? name : `${at}.${name}`);
    if (one.items && other.items) compare([one.items, other.items], direction, `${at}[]`, named);
    if (one.additionalProperties && other.additionalProperties)
      compare([one.additionalProperties, other.additionalProperties], direction, inside('*'), named);
    for (const [name, property] of Object.entries(one.properties ?? {})) {
      const same = other.properties?.[name];
      if (same === undefined) {
        report(named, `${inside(name)} is removed`);
        continue;
      }
      if (direction === 'answer' && isRequired(one, name) && !isRequired(other, name))
        report(named, `${inside(name)} may now be absent`);
      compare([property, same], direction, inside(name), named);
    }
    if (direction === 'answer') return;
    for (const name of other.required ?? [])
      if (!isRequired(one, name)) report(named, `${inside(name)} is now required`);
  }
  return (pair: Pair, direction: Direction, at: string): void => compare(pair, direction, at, null);
}

export function refName(ref: string): string {
  return ref.slice(ref.lastIndexOf('/') + 1);
}

const isRequired = ({ required = [] }: Schema, name: string): boolean => required.includes(name);

/** The alternatives by their JSON types; several of one type by their names. */
function alternativesOf(schema: Schema, all: Schemas): ReadonlyMap<string, Schema> {
  const { anyOf, oneOf, type } = schema;
  const listed = anyOf ?? oneOf;
  if (listed !== undefined) {
    const typed = listed.map(
      (one) => [kindOf(one.$ref === undefined ? one : (all[refName(one.$ref)] ?? {})), one] as const,
    );
    const types = typed.map(([kind]) => kind);
    const isShared = new Set(types).size < types.length;
    return new Map(typed.map(([kind, one]) => [isShared && one.$ref ? refName(one.$ref) : kind, one]));
  }
  if (typeof type === 'string' || type === undefined) return new Map([[kindOf(schema), schema]]);
  return new Map(type.map((one) => [one, one === 'null' ? { type: one } : { ...schema, type: one }]));
}

function kindOf({ type }: Schema): string {
  return typeof type === 'string' ? type : (type?.join(' or ') ?? 'anything');
}

function valueChanges([one, other]: Pair, direction: Direction): readonly string[] {
  const clauses = (['format', 'pattern'] as const)
    .filter((key) => other[key] !== one[key] && (direction === 'answer' || other[key] !== undefined))
    .map((key) => `has another ${key} (${one[key] ?? 'none'} before, ${other[key] ?? 'none'} now)`);
  const [values, valuesNow] = [valuesOf(one), valuesOf(other)];
  if (direction === 'answer')
    return values !== null && valuesNow !== null && !values.some((value) => valuesNow.includes(value))
      ? [...clauses, `has no value in common with before (${values.join(', ')})`]
      : clauses;
  const lost = valuesNow === null ? [] : (values ?? ['other values']).filter((value) => !valuesNow.includes(value));
  if (lost.length > 0) clauses.push(`no longer accepts ${lost.join(', ')}`);
  for (const key of LOWER_BOUNDS)
    if ((other[key] ?? -Infinity) > (one[key] ?? -Infinity)) clauses.push(`has a higher ${key} (${other[key]})`);
  for (const key of UPPER_BOUNDS)
    if ((other[key] ?? Infinity) < (one[key] ?? Infinity)) clauses.push(`has a lower ${key} (${other[key]})`);
  // A default that only one of them mentions may hold in both.
  if (one.default !== undefined && other.default !== undefined && one.default !== other.default)
    clauses.push(`has another default (${JSON.stringify(one.default)} before, ${JSON.stringify(other.default)} now)`);
  return clauses;
}

function valuesOf(schema: Schema): readonly unknown[] | null {
  return schema.enum ?? (schema.const === undefined ? null : [schema.const]);
}
