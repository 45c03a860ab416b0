import type { Tool } from './tools.ts';

/** What the rows of THE TABLE answer with, as JSON Schema, by method and path. */
export type Outputs = ReadonlyMap<string, object>;

/** A JSON Schema of an object, as `tools/list` shows it. */
type OutputSchema = Readonly<Record<string, unknown>>;

const OF_DOCUMENT: OutputSchema = {
  type: 'object',
  properties: { data: { type: ['object', 'null'] } },
  required: ['data'],
};

/** What a tool answers with, unless it refuses: the bodies of its endpoints. */
export function outputSchemaOf({ answers, beside = [] }: Tool, outputs: Outputs): OutputSchema {
  if (answers === 'graphql') return OF_DOCUMENT;
  const bodies = answers.map((name) => bodyOf(outputs, name));
  const [first = {}] = bodies;
  if (bodies.length > 1) return { type: 'object', anyOf: bodies };
  return beside.reduce<OutputSchema>((schema, { answers: name, as, fields = [] }) => {
    const body = bodyOf(outputs, name);
    const own = Object(body['properties']);
    const more = as === undefined ? fields.map((field) => [field, own[field]] as const) : [[as, body] as const];
    return {
      ...schema,
      properties: { ...Object(schema['properties']), ...Object.fromEntries(more) },
      required: [...Object(schema['required']), ...fields],
    };
  }, first);
}

function bodyOf(outputs: Outputs, name: string): OutputSchema {
  const schema = outputs.get(name);
  if (schema === undefined) throw new Error(`A tool must name endpoints of the reference (got ${name})`);
  return { ...schema };
}
