import type { JsonSchema } from '../rest/described.ts';
import type { Endpoint } from '../rest/endpoint.ts';

export interface OpenApi {
  readonly openapi: '3.1.1';
  readonly info: Readonly<Record<string, unknown>>;
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly webhooks: Readonly<Record<string, PathItem>>;
  readonly components: Components;
}

export type PathItem = Readonly<Partial<Record<Lowercase<Endpoint['method']>, Operation>>>;

export interface Operation {
  readonly operationId: string;
  readonly summary: string;
  readonly description: string;
  readonly deprecated?: true;
  readonly tags: readonly string[];
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly OperationParameter[];
  readonly requestBody?: RequestBody;
  readonly responses: Readonly<Record<string, Response | Reference>>;
  readonly 'x-rate-limit'?: RateLimit;
}

/** False where a key is optional: an empty alternative requires none. */
export function needsKey({ security }: Pick<Operation, 'security'>): boolean {
  return security.length > 0 && security.every((schemes) => Object.keys(schemes).length > 0);
}

export interface RateLimit {
  readonly requests: number;
  readonly window_seconds: number;
  readonly scope: 'ip' | 'agent';
}

export interface OperationParameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly deprecated?: true;
  readonly description: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

export interface RequestBody {
  readonly required: boolean;
  readonly content: Content;
}

export type Content = Readonly<Record<string, { readonly schema: unknown; readonly example?: unknown }>>;

export interface Response {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference>>;
  readonly content?: Content;
}

export interface Reference {
  readonly $ref: string;
}

export interface Components {
  readonly schemas: Readonly<Record<string, unknown>>;
  readonly responses: Readonly<Record<string, Response>>;
  readonly headers: Readonly<Record<string, { readonly description: string; readonly schema: JsonSchema }>>;
  readonly securitySchemes: Readonly<Record<string, unknown>>;
}

export function component(kind: keyof Components, name: string): Reference {
  return { $ref: `#/components/${kind}/${name}` };
}

export function inQuery(name: string, description: string, schema: JsonSchema): OperationParameter {
  return { name, in: 'query', required: false, description, schema };
}
