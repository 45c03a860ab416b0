import { snakeCased } from '../rest/endpoint.ts';
import { exportedList, methodName } from './client-methods.ts';
import { needsKey, type Operation } from './openapi.ts';

export type Sample = readonly [language: 'sh' | 'js' | 'py', program: string];

export interface ListedOperation {
  readonly method: string;
  readonly path: string;
  readonly operation: Operation;
}

const HERE = 'http://127.0.0.1:3000';

export function samplesOf(operation: ListedOperation): readonly Sample[] {
  const sh = ['sh', curl(operation)] as const;
  if (operation.path.endsWith('.csv')) return [sh];
  const [js, py] = callsOf(operation);
  // Both clients read the key from the environment or from the file that `register` wrote.
  return [
    sh,
    [
      'js',
      `import { createClient } from 'hourcast-client';\n\nconst client = createClient({ url: '${HERE}' });\n${js}`,
    ],
    ['py', `from hourcast import Client\n\nclient = Client("${HERE}")\n${py}`],
  ];
}

function valuesOf({ parameters = [], requestBody }: Operation): readonly (readonly [name: string, value: unknown])[] {
  const shown = parameters.flatMap(({ name, example }) => (example === undefined ? [] : [[name, example] as const]));
  return [...shown, ...Object.entries(Object(requestBody?.content['application/json']?.example))];
}

function curl({ method, path, operation }: ListedOperation): string {
  const { parameters = [], requestBody } = operation;
  const given = parameters.filter(({ example }) => example !== undefined);
  const filled = given.reduce((text, { name, example }) => text.replace(`{${name}}`, String(example)), path);
  const query = given.filter((one) => one.in === 'query').map(({ name, example }) => `${name}=${String(example)}`);
  const address = HERE + filled + (query.length === 0 ? '' : `?${query.join('&')}`);
  const body = requestBody?.content['application/json']?.example;
  // curl's default method, with a body and without.
  const usual = body === undefined ? 'GET' : 'POST';
  return [
    `curl -s${isEndless(path) ? 'N' : ''}${method === usual ? '' : ` -X ${method}`} '${address}'`,
    ...(needsKey(operation) ? ['-H "Authorization: Bearer $HOURCAST_KEY"'] : []),
    ...(body === undefined ? [] : ["-H 'Content-Type: application/json'", `-d '${JSON.stringify(body)}'`]),
  ].join(' \\\n  ');
}

function isEndless(path: string): boolean {
  return path === '/api/events';
}

function callsOf({ path, operation }: ListedOperation): readonly [js: string, py: string] {
  const list = exportedList(path);
  if (isEndless(path))
    return [
      'for await (const event of client.events()) console.log(event);',
      'for event in client.events():\n    print(event)',
    ];
  if (list !== undefined)
    return [
      `for await (const row of client.export('${list}')) console.log(row);`,
      `for row in client.export("${list}"):\n    print(row)`,
    ];
  const name = methodName(operation.operationId);
  const values = valuesOf(operation);
  const needed = new Set(neededBy(operation));
  const object = values.map(([field, value]) => `${field}: ${literal(value)}`);
  const given = values.map(([field, value]) => `${needed.has(field) ? '' : `${field}=`}${JSON.stringify(value)}`);
  return [
    `console.log(await client.${name}(${object.length === 0 ? '' : `{ ${object.join(', ')} }`}));`,
    `print(client.${snakeCased(name)}(${given.join(', ')}))`,
  ];
}

function literal(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(literal).join(', ')}]`;
  return typeof value === 'string' ? `'${value}'` : JSON.stringify(value);
}

function neededBy({ parameters = [], requestBody }: Operation): readonly string[] {
  const { required = [] }: { required?: readonly string[] } = Object(requestBody?.content['application/json']?.schema);
  return [...parameters.filter((one) => one.required).map(({ name }) => name), ...required];
}
