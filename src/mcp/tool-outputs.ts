import type { Tool } from './tools.ts';

/** A JSON Schema of an object, as `tools/list` shows it. */
export interface OutputSchema {
  readonly type: 'object';
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
}

/** What the rows of THE TABLE answer with, as JSON Schema, by method and path. */
export type Outputs = ReadonlyMap<string, OutputSchema>;

const OF_DOCUMENT: OutputSchema = {
  type: 'object',
  properties: { data: { type: ['object', 'null'] } },
  required: ['data'],
};

/** What a tool answers with, unless it refuses: what the bodies of its endpoints have in common, and what stands beside the first's. */
export function outputSchemaOf({ answers, beside = [] }: Tool, outputs: Outputs): OutputSchema {
  if (answers === 'graphql') return OF_DOCUMENT;
  const [first, ...others] = answers.map((name) => bodyOf(outputs, name));
  const isCommon = (name: string) => others.every(({ required }) => required.includes(name));
  const shown = Object.entries(first?.properties ?? {}).filter(([name]) => isCommon(name));
  const more = beside.flatMap(({ answers: name, as, fields = [] }) =>
    as === undefined
      ? fields.map((field) => [field, bodyOf(outputs, name).properties[field] ?? {}] as const)
      : [[as, { type: 'object' }] as const],
  );
  const properties = Object.fromEntries([...shown, ...more]);
  // The forecast beside the current round is left out where it cannot be had.
  const besideAlways = beside.flatMap(({ as, fields = [] }) => (as === undefined ? fields : []));
  const always = [...(first?.required ?? []).filter(isCommon), ...besideAlways];
  return { type: 'object', properties, required: always };
}

function bodyOf(outputs: Outputs, name: string): OutputSchema {
  const schema = outputs.get(name);
  if (schema === undefined) throw new Error(`A tool must name endpoints of the reference (got ${name})`);
  return schema;
}
