import type { Breaking } from './breaking.ts';
import { type Direction, refName, type Schema, schemaComparison, type Schemas } from './schemas.ts';

interface Referenced {
  readonly $ref?: string;
}

export interface Reference {
  readonly paths: Readonly<Record<string, Item>>;
  readonly webhooks?: Readonly<Record<string, Item>>;
  readonly components: { readonly schemas: Schemas; readonly responses: Readonly<Record<string, Response>> };
}

type Item = Readonly<Record<string, Operation>>;

type Content = Readonly<Record<string, { readonly schema?: Schema }>>;

interface Response extends Referenced {
  readonly headers?: Readonly<Record<string, unknown>>;
  readonly content?: Content;
}

interface Operation {
  readonly operationId: string;
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly required?: boolean; readonly content: Content };
  readonly responses: Readonly<Record<string, Response>>;
  readonly 'x-rate-limit'?: { readonly requests: number; readonly window_seconds: number };
}

interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly required?: boolean;
  readonly schema: Schema;
}

/** Changes by which a working client of the REST interface may fail. New values of an answer's enum are none. */
export function breakingInReference(before: Reference, after: Reference): readonly Breaking[] {
  const found: Breaking[] = [];
  let endpoint = '';
  const report = (clause: string, named: string | null = null): void => {
    const element = named ?? endpoint;
    found.push({ element, change: `${element}: ${clause}.` });
  };
  const compareSchema = schemaComparison(before.components.schemas, after.components.schemas, (named, clause) =>
    report(clause, named),
  );

  function compareOperation(one: Operation, other: Operation): void {
    if (one.operationId !== other.operationId)
      found.push({ element: 'operationId', change: `${endpoint}: ${one.operationId} is now ${other.operationId}.` });
    if (!needsKey(one) && needsKey(other)) report('it now needs a key');
    if (rateOf(other) < rateOf(one)) report('its limit is lower');
    compareParameters(one.parameters ?? [], other.parameters ?? []);
    const [body, bodyNow] = [one.requestBody, other.requestBody];
    if (body === undefined && bodyNow?.required === true) report('a body is now required');
    if (body?.required !== true && body !== undefined && bodyNow?.required === true) report('its body is now required');
    if (body !== undefined && bodyNow === undefined) report('it no longer takes a body');
    if (body !== undefined && bodyNow !== undefined)
      compareContent([body.content, bodyNow.content], 'request', 'the body');
    for (const [status, response] of Object.entries(one.responses)) {
      const now = other.responses[status];
      if (now === undefined) report(`status ${status} is removed`);
      else compareResponse(resolved(response, before), resolved(now, after), status);
    }
  }

  function compareResponse(one: Response, other: Response, status: string): void {
    for (const header of Object.keys(one.headers ?? {}))
      if (other.headers?.[header] === undefined) report(`header ${header} of status ${status} is removed`);
    compareContent([one.content ?? {}, other.content ?? {}], 'answer', `status ${status}`);
  }

  function compareContent([one, other]: readonly [Content, Content], direction: Direction, of: string): void {
    for (const [type, { schema = {} }] of Object.entries(one)) {
      const now = other[type];
      if (now === undefined) report(`${type} of ${of} is removed`);
      else compareSchema([schema, now.schema ?? {}], direction, '');
    }
  }

  function compareParameters(ones: readonly Parameter[], others: readonly Parameter[]): void {
    const isSame = (one: Parameter, other: Parameter): boolean => one.name === other.name && one.in === other.in;
    for (const one of ones) {
      const now = others.find((other) => isSame(one, other));
      if (now === undefined) report(`parameter ${one.name} is removed`);
      else compareSchema([one.schema, now.schema], 'request', `parameter ${one.name}`);
    }
    for (const other of others) {
      const former = ones.find((one) => isSame(one, other));
      if (other.required === true && former?.required !== true) report(`parameter ${other.name} is now required`);
    }
  }

  for (const [path, item] of Object.entries(before.paths)) {
    for (const [verb, operation] of Object.entries(item)) {
      endpoint = `${verb.toUpperCase()} ${path}`;
      const now = after.paths[path]?.[verb];
      if (now === undefined) report('it is removed');
      else compareOperation(operation, now);
    }
  }
  for (const [name, item] of Object.entries(before.webhooks ?? {})) {
    endpoint = `webhook ${name}`;
    const now = after.webhooks?.[name];
    if (now === undefined) report('it is removed');
    // The service writes the body of a webhook.
    const [one, other] = [item['post']?.requestBody?.content, now?.['post']?.requestBody?.content];
    if (one !== undefined && other !== undefined) compareContent([one, other], 'answer', 'the body');
  }
  return found;
}

const needsKey = ({ security = [] }: Operation): boolean =>
  security.length > 0 && security.every((schemes) => Object.keys(schemes).length > 0);

/** Requests a second; unlimited without a limit. */
function rateOf({ 'x-rate-limit': limit }: Operation): number {
  return limit === undefined ? Infinity : limit.requests / limit.window_seconds;
}

function resolved(response: Response, { components }: Reference): Response {
  return response.$ref === undefined ? response : (components.responses[refName(response.$ref)] ?? {});
}
