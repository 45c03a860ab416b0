import type { Declaration, ExportedList, Field, Method, Model, Type } from './model.ts';
import { inOneLine } from './words.ts';

const HEAD = `/* Written by \`npm run codegen:clients\` from the service's reference: what every endpoint takes and answers. */

import type { Call, CallOptions } from './call.ts';
`;

/** Types and methods for TypeScript. */
export function typescriptOf({ declarations, methods, exports }: Model): string {
  return [
    HEAD,
    ...declarations.map(declared),
    `/** The lists of exports, with a row of each and what narrows it. */\nexport interface Exports {\n${exports.map(exported).join('')}}\n`,
    `/** Their names. */\nexport const EXPORTS = [${exports.map(({ name }) => `'${name}'`).join(', ')}] as const;\n`,
    `/** A method for each endpoint. */\nexport interface Endpoints {\n${methods.map(signature).join('')}}\n`,
    `/** The methods, each of which asks its endpoint through \`call\`. */\nexport function endpoints(call: Call): Endpoints {\n  return {\n${methods.map(method).join('')}  };\n}\n`,
  ].join('\n');
}

function declared({ name, description, shape }: Declaration): string {
  const head = comment(description, '');
  if ('type' in shape) return `${head}export type ${name} = ${spelt(shape.type)};\n`;
  return `${head}export interface ${name} {\n${shape.fields.map((one) => fieldLine(one, '  ')).join('')}}\n`;
}

function fieldLine({ name, type, required, description }: Field, indent: string): string {
  return `${comment(description, indent)}${indent}readonly ${name}${required ? '' : '?'}: ${spelt(type)}${required ? '' : ' | undefined'};\n`;
}

function exported({ name, row, filters }: ExportedList): string {
  const fields = filters.map((one) => fieldLine(one, '      ')).join('');
  return `  readonly ${name}: {\n    readonly row: ${spelt(row)};\n    readonly filters: {\n${fields}    };\n  };\n`;
}

function signature({ name, verb, path, summary, limit, parameters, answer }: Method): string {
  const needed = parameters.some(({ required }) => required);
  const taken =
    parameters.length === 0
      ? ''
      : `parameters${needed ? '' : '?'}: {\n${parameters.map((one) => fieldLine(one, '    ')).join('')}  }, `;
  const docComment = `  /** ${inOneLine(summary)} \`${verb} ${path}\`. ${inOneLine(limit)} */\n`;
  return `${docComment}  ${name}(${taken}options?: CallOptions): Promise<${spelt(answer)}>;\n`;
}

function method({ name, verb, path, parameters, takesIdempotencyKey, inQuery, isJson }: Method): string {
  const taken = parameters.length === 0 ? 'options' : 'parameters, options';
  const endpoint = [
    `method: '${verb}'`,
    `path: '${path}'`,
    ...(takesIdempotencyKey ? ['takesIdempotencyKey: true'] : []),
    ...(inQuery.length > 0 ? [`inQuery: [${inQuery.map((one) => `'${one}'`).join(', ')}]`] : []),
    ...(isJson ? [] : ['isText: true']),
  ];
  const given = parameters.length === 0 ? '{}' : 'parameters';
  return `    ${name}: (${taken}) => call({ ${endpoint.join(', ')} }, ${given}, options),\n`;
}

function spelt(type: Type): string {
  switch (type.kind) {
    case 'integer':
      return 'number';
    case 'object':
      return 'Readonly<Record<string, unknown>>';
    case 'named':
      return type.name;
    case 'list':
      return type.of.kind === 'union' || type.of.kind === 'constants'
        ? `readonly (${spelt(type.of)})[]`
        : `readonly ${type.of.kind === 'list' ? `(${spelt(type.of)})` : spelt(type.of)}[]`;
    case 'map':
      return `Readonly<Record<string, ${spelt(type.of)}>>`;
    case 'constants':
      return type.values.map((value) => (typeof value === 'string' ? `'${value}'` : String(value))).join(' | ');
    case 'union':
      return type.of.map(spelt).join(' | ');
    case 'string':
    case 'number':
    case 'boolean':
    case 'null':
      return type.kind;
  }
}

function comment(text: string, indent: string): string {
  const line = inOneLine(text);
  return line === '' ? '' : `${indent}/** ${line} */\n`;
}
