import type { Content, OpenApi, Operation, OperationParameter } from '../openapi/openapi.ts';
import type { Described } from '../rest/described.ts';

/** The reference as text that reads from top to bottom: what each operation takes and answers, field by field. */
export function referenceText({ paths, components }: OpenApi): string {
  const operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([verb, operation]) => operationText(`${verb.toUpperCase()} ${path}`, operation)),
  );
  const enums = Object.entries(components.schemas).flatMap(([name, schema]) => {
    const { enum: values, description = '' }: Described = Object(schema);
    return values === undefined ? [] : [`### ${name}\n\n${description}`];
  });
  return [...operations, '## Values', ...enums].join('\n\n');
}

function operationText(name: string, operation: Operation): string {
  const { summary, description, security, parameters = [], requestBody, responses } = operation;
  const [good] = Object.entries(responses)
    .filter(([status]) => status.startsWith('2'))
    .map(([, response]) => ('content' in response ? response.content : undefined));
  const statuses = Object.keys(responses).join(', ');
  return [
    `## ${name}`,
    `${summary} ${description}${security.length > 0 ? ' Needs a key.' : ''} Statuses: ${statuses}.`,
    ...(parameters.length > 0 ? [`Parameters:\n\n${parameters.map(parameterLine).join('\n')}`] : []),
    ...(requestBody === undefined ? [] : [`Body:\n\n${linesOf(requestBody.content)}`]),
    ...(linesOf(good) === '' ? [] : [`Answer:\n\n${linesOf(good)}`]),
  ].join('\n\n');
}

function parameterLine({ name, in: place, required, description, schema }: OperationParameter): string {
  return `- \`${name}\` (${place}, ${kindOf(schema)}${required ? ', required' : ''}): ${description}`;
}

function linesOf(content: Content | undefined): string {
  const schema: Described = Object(content?.['application/json']?.schema);
  return fieldLines(schema, 0).join('\n');
}

/** A line for each field that is always there, and one that names the others. */
function fieldLines(schema: Described, depth: number): string[] {
  const { properties = {}, required = [] }: Described = objectIn(schema);
  const indent = '  '.repeat(depth);
  const others = Object.keys(properties).filter((name) => !required.includes(name));
  const lines = Object.entries(properties)
    .filter(([name]) => required.includes(name))
    .flatMap(([name, field]) => [
      `${indent}- \`${name}\` (${kindOf(field)}): ${field.description ?? ''}`,
      ...fieldLines(field, depth + 1),
    ]);
  return others.length === 0 ? lines : [...lines, `${indent}- not always: ${others.join(', ')}`];
}

/** The object that a schema describes, itself, in a list or in a map. */
function objectIn(schema: Described): Described {
  if (schema.properties !== undefined) return schema;
  return schema.items ?? schema.additionalProperties ?? {};
}

/** Such as `integer or null`, `list of text`. */
function kindOf({ type, $ref, items, anyOf }: Described): string {
  if ($ref !== undefined) return $ref.replace('#/components/schemas/', '');
  if (anyOf !== undefined) return anyOf.map(kindOf).join(' or ');
  if (items !== undefined) return `list of ${kindOf(items)}`;
  return (typeof type === 'string' ? [type] : (type ?? ['object'])).join(' or ');
}
