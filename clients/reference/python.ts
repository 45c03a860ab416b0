import type { Declaration, ExportedList, Field, Method, Model, Type } from './model.ts';
import { snakeCased } from '../../src/rest/endpoint.ts';
import { inOneLine } from './words.ts';

const BY = "Written by `npm run codegen:clients` from the service's reference.";

/** Types for Python 3.9. */
export function pythonTypesOf({ declarations }: Model): string {
  const names = declarations.map(({ name }) => name);
  // An alias needs its target before it; fields of a class do not.
  const [aliases, records] = [
    declarations.filter(({ shape }) => 'type' in shape),
    declarations.filter(({ shape }) => 'fields' in shape),
  ];
  const [constants, unions] = [aliases.filter((one) => !isUnion(one)), aliases.filter(isUnion)];
  return withImports(`"""What the endpoints take and answer, as types. ${BY}"""
${IMPORTS}
__all__ = [
${names
  .toSorted()
  .map((name) => `    "${name}",\n`)
  .join('')}]
${[...constants, ...records, ...unions].map(declared).join('')}`);
}

/** Placeholder for a file's imports, until those it uses are known. */
const IMPORTS = '<imports>';
const TYPING = [
  'Any',
  'Dict',
  'Iterator',
  'List',
  'Literal',
  'Mapping',
  'Optional',
  'Sequence',
  'TypedDict',
  'Union',
  'overload',
];

function withImports(text: string): string {
  const used = TYPING.filter((name) => new RegExp(String.raw`(?<!")\b${name}\b`).test(text));
  return text.replace(IMPORTS, `\nfrom __future__ import annotations\n\nfrom typing import ${used.join(', ')}\n`);
}

const isUnion = ({ shape }: Declaration): boolean => 'type' in shape && shape.type.kind === 'union';

/** A method for each endpoint. */
export function pythonEndpointsOf({ methods, exports }: Model): string {
  return withImports(`"""A method for each endpoint. ${BY}"""
${IMPORTS}
from . import types

EXPORTS = (${exports
    .map(({ name }) => `"${name}", `)
    .join('')
    .trim()})
"""The lists that can be exported."""


class Endpoints:
    """The methods, each of which asks its endpoint through \`_call\`, and the exports."""

    def _call(
        self,
        method: str,
        path: str,
        parameters: Mapping[str, Any],
        *,
        takes_idempotency_key: bool = False,
        in_query: Sequence[str] = (),
        is_text: bool = False,
    ) -> Any:
        raise NotImplementedError

    def _export(self, name: str, filters: Mapping[str, Any]) -> Iterator[Any]:
        raise NotImplementedError
${methods.map(defined).join('')}
${exports.map(overloaded).join('\n')}
    def export(self, name: str, filters: Optional[Mapping[str, Any]] = None) -> Iterator[Any]:
        """The rows of an export, however many, narrowed by filters such as \`{"agent": "my-bot"}\`.

        Goes on behind the last row where the stream breaks.
        """
        return self._export(name, filters or {})
`);
}

function declared({ name, description, shape }: Declaration): string {
  if ('type' in shape) return `\n${hashed(description, '')}${name} = ${spelt(shape.type, '')}\n`;
  const doc = inOneLine(description) === '' ? '' : `    """${inOneLine(description)}"""\n\n`;
  if (shape.fields.some(({ name: field }) => field === 'from')) return `\n${functional(name, shape.fields)}`;
  const always = shape.fields.filter(({ required }) => required);
  const sometimes = shape.fields.filter(({ required }) => !required);
  if (sometimes.length === 0) return `\n\nclass ${name}(TypedDict):\n${doc}${lines(always)}`;
  // Python 3.9 marks optional fields by their class.
  return `\n\nclass _${name}Always(TypedDict):\n${lines(always)}\n\nclass ${name}(_${name}Always, total=False):\n${doc}${lines(sometimes)}`;
}

/** The functional syntax, for fields whose names are keywords of Python. */
function functional(name: string, fields: readonly Field[]): string {
  const pairs = fields
    .map((one) => `${hashed(one.description, '    ')}    "${one.name}": ${spelt(one.type, '')},\n`)
    .join('');
  return `${name} = TypedDict("${name}", {\n${pairs}})\n`;
}

function lines(fields: readonly Field[]): string {
  if (fields.length === 0) return '    pass\n';
  return fields
    .map(({ name, type, description }) => `${hashed(description, '    ')}    ${name}: ${spelt(type, '')}\n`)
    .join('');
}

function defined({
  name,
  verb,
  path,
  summary,
  limit,
  parameters,
  takesIdempotencyKey,
  inQuery,
  answer,
  isJson,
}: Method): string {
  const needed = parameters
    .filter(({ required }) => required)
    .map((one) => `${one.name}: ${spelt(one.type, 'types.')}`);
  const others = parameters
    .filter(({ required }) => !required)
    .map((one) => `${one.name}: Optional[${spelt(one.type, 'types.')}] = None`);
  const taken = ['self', ...needed, ...(others.length > 0 ? ['*', ...others] : [])].join(', ');
  const given = parameters.map((one) => `"${one.name}": ${one.name}`).join(', ');
  const docLines = parameters.map((one) => `        ${one.name}: ${inOneLine(one.description)}\n`).join('');
  const returned = spelt(answer, 'types.');
  const flags = [
    ...(takesIdempotencyKey ? [', takes_idempotency_key=True'] : []),
    ...(inQuery.length > 0 ? [`, in_query=${JSON.stringify(inQuery)}`] : []),
    ...(isJson ? [] : [', is_text=True']),
  ].join('');
  return `
    def ${snakeCased(name)}(${taken}) -> ${returned}:
        """${inOneLine(summary)} \`${verb} ${path}\`.

        ${inOneLine(limit)}
${docLines === '' ? '' : `\n${docLines}`}        """
        answer: ${returned} = self._call("${verb}", "${path}", {${given}}${flags})
        return answer
`;
}

function spelt(type: Type, module: string): string {
  const inner = (one: Type): string => spelt(one, module);
  switch (type.kind) {
    case 'string':
      return 'str';
    case 'integer':
      return 'int';
    case 'number':
      return 'float';
    case 'boolean':
      return 'bool';
    case 'null':
      return 'None';
    case 'object':
      return 'Dict[str, Any]';
    case 'named':
      return `${module}${type.name}`;
    case 'list':
      return `List[${inner(type.of)}]`;
    case 'map':
      return `Dict[str, ${inner(type.of)}]`;
    case 'constants':
      return `Literal[${type.values.map(literal).join(', ')}]`;
    case 'union':
      return unionOf(type.of.map(inner));
  }
}

function overloaded({ name, row }: ExportedList): string {
  return `    @overload
    def export(
        self, name: Literal["${name}"], filters: Optional[Mapping[str, Any]] = None
    ) -> Iterator[${spelt(row, 'types.')}]: ...
`;
}

function unionOf(types: readonly string[]): string {
  const others = types.filter((one) => one !== 'None');
  const all = others.length === 1 ? String(others[0]) : `Union[${others.join(', ')}]`;
  return others.length < types.length ? `Optional[${all}]` : all;
}

function literal(value: unknown): string {
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  return JSON.stringify(value);
}

function hashed(text: string, indent: string): string {
  const line = inOneLine(text);
  return line === '' ? '' : `${indent}# ${line}\n`;
}
