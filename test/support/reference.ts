import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';

import type { OpenApi, Operation, Response } from '../../src/openapi/openapi.ts';
import { madeOnceFor } from '../../src/in-flight.ts';
import { serviceReference } from '../../src/openapi/document.ts';
import { makeSchema } from '../../src/resolvers/schema.ts';
import { compileTable } from '../../src/rest/compile.ts';
import { ENDPOINTS } from '../../src/rest/endpoints.ts';

/** The parts of request and answer that the reference describes. */
interface Exchange {
  readonly method: string;
  /** With its query. */
  readonly path: string;
  readonly status: number;
  readonly headers: Headers;
  /** The raw body. */
  readonly text: string;
}

/** The reference, prepared for comparisons. */
export interface Reference {
  readonly document: OpenApi;
  /** Violations of the schema at a JSON pointer of the document; objects allow no further fields. */
  readonly faults: (pointer: string, value: unknown) => readonly string[];
}

const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** The reference must list these headers of answers. */
const OWN_HEADERS = [
  'X-RateLimit-Limit',
  'X-RateLimit-Remaining',
  'X-RateLimit-Reset',
  'Retry-After',
  'Idempotent-Replayed',
];

/** Every path may answer these: a wrong method, and refusals before routing. */
const ANYWHERE = new Set([404, 405, 408, 431]);

let opened: Reference | undefined;

/** Made once in each worker, since that takes a tenth of a second. */
export function reference(): Reference {
  opened ??= openReference();
  return opened;
}

function openReference(): Reference {
  const schema = makeSchema();
  const document = serviceReference({ schema, table: compileTable(ENDPOINTS, schema), version: '9.9.9' });
  const ajv = new Ajv2020({ strict: false, allErrors: true, formats: { 'date-time': INSTANT } });
  ajv.addSchema(Object(closed(document)), 'reference');
  const validators = new Map<string, ValidateFunction>();
  return {
    document,
    faults(pointer, value) {
      const validate = validators.get(pointer) ?? ajv.getSchema(`reference#${pointer}`);
      if (validate === undefined) throw new Error(`The reference has nothing at ${pointer}`);
      validators.set(pointer, validate);
      return validate(value)
        ? []
        : (validate.errors ?? []).map(
            ({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`,
          );
    },
  };
}

/** Disallows further fields in every object with listed fields. */
function closed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(closed);
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.fromEntries(Object.entries(value).map(([name, one]) => [name, closed(one)]));
  return typeof fields['properties'] === 'object' && 'type' in fields
    ? { ...fields, additionalProperties: false }
    : fields;
}

/** Throws if an answer under `/api` contradicts the reference. */
export function holdToReference(exchange: Exchange): void {
  const { method, path, status } = exchange;
  const [pathname = ''] = path.split('?', 1);
  if (!pathname.startsWith('/api/')) return;
  const found = operationOf(reference().document, method, pathname);
  const faults = found === null ? faultsOfRefusal(exchange) : faultsOfAnswer(found, exchange);
  if (faults.length === 0) return;
  throw new Error(`${method} ${path} answers ${status} other than the reference says: ${faults.join('; ')}`);
}

interface Found {
  readonly operation: Operation;
  readonly pointer: string;
}

const VERBS = ['get', 'post', 'put', 'patch', 'delete'] as const;

/** A fixed path wins over one with a parameter. */
const templatesOf = madeOnceFor(({ paths }: OpenApi) => {
  const templates = Object.keys(paths).toSorted(
    (left, right) => Number(left.includes('{')) - Number(right.includes('{')),
  );
  return templates.map((one) => [one, new RegExp(`^${one.replaceAll(/\{\w+\}/g, '[^/]+')}$`)] as const);
});

function operationOf(document: OpenApi, method: string, pathname: string): Found | null {
  const { paths } = document;
  const [template] = templatesOf(document).find(([, form]) => form.test(pathname)) ?? [];
  const verb = VERBS.find((one) => one === (method === 'HEAD' ? 'get' : method.toLowerCase()));
  const operation = template === undefined || verb === undefined ? undefined : paths[template]?.[verb];
  if (template === undefined || verb === undefined || operation === undefined) return null;
  return { operation, pointer: pointerTo('paths', template, verb) };
}

function faultsOfAnswer({ operation, pointer }: Found, exchange: Exchange): readonly string[] {
  const { method, status, headers, text } = exchange;
  const key = String(status);
  const listed = operation.responses[key];
  if (listed === undefined) return ANYWHERE.has(status) ? faultsOfRefusal(exchange) : ['this status is not listed'];
  const [response, place] =
    '$ref' in listed ? sharedResponse(listed.$ref) : [listed, pointer + pointerTo('responses', key)];
  const unlisted = OWN_HEADERS.filter((name) => headers.has(name) && response.headers?.[name] === undefined);
  const faults = unlisted.map((name) => `the header ${name} is not listed`);
  if (method === 'HEAD' || response.content === undefined) return text === '' ? faults : [...faults, 'a body came'];
  return [...faults, ...faultsOfBody(response, place, exchange)];
}

function faultsOfBody({ content = {} }: Response, place: string, { headers, text }: Exchange): readonly string[] {
  const type = headers.get('content-type')?.split(';', 1)[0] ?? '';
  if (content[type] === undefined) return [`the type ${type} is not listed`];
  const schema = place + pointerTo('content', type, 'schema');
  if (type === 'application/json') return reference().faults(schema, JSON.parse(text));
  if (type !== 'application/x-ndjson') return [];
  const lines = text.split('\n').slice(0, -1);
  return lines.flatMap((line) => reference().faults(schema, JSON.parse(line)));
}

/** Refusals without an operation: unknown paths and methods. */
function faultsOfRefusal({ method, status, text }: Exchange): readonly string[] {
  // A browser's preflight of another origin.
  if (method === 'OPTIONS' && status === 204) return [];
  if (status < 400) return ['it is not listed'];
  return method === 'HEAD' ? [] : reference().faults('/components/schemas/Error', JSON.parse(text));
}

function sharedResponse(target: string): [Response, string] {
  const name = target.replace('#/components/responses/', '');
  const response = reference().document.components.responses[name];
  if (response === undefined) throw new Error(`The reference has no response ${name}`);
  return [response, pointerTo('components', 'responses', name)];
}

export function pointerTo(...names: readonly string[]): string {
  return names.map((name) => `/${encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'))}`).join('');
}
