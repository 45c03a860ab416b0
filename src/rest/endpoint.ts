import type { Request, Response } from 'express';

import type { LimitName } from '../limits.ts';
import type { DomainError, ErrorCode } from '../rules/errors.ts';
import type { JsonSchema } from './described.ts';

export type Data = Readonly<Record<string, unknown>>;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** Aliases of the document rename fields. Variables come from path, `headers`, query (GET, `inQuery`) or body. */
export interface Endpoint {
  readonly method: Method;
  readonly path: string;
  readonly summary: string;
  readonly limit: LimitName;
  readonly success?: 201;
  readonly successOf?: (data: Data) => 200 | 201;
  readonly means?: Readonly<Record<200 | 201, string>>;
  readonly document: string;
  /** Enum variables that requests spell in lower case. */
  readonly lowerCase?: readonly string[];
  readonly headers?: Readonly<Record<string, string>>;
  readonly inQuery?: readonly string[];
  readonly missing?: (variables: Data) => DomainError;
  /** Refusals beyond bad parameters, keys, origins, limits and `missing`. */
  readonly refusals?: readonly ErrorCode[];
  /** Refusals appear in the agent's record of rounds, also those of unreadable bodies. */
  readonly recordsRefusals?: true;
  /** For bodies that GraphQL cannot express. */
  readonly shape?: Shape;
  /** An answer in a content type other than JSON. */
  readonly text?: { readonly contentType: string; readonly of: (data: Data) => string };
  readonly answerHeaders?: (data: Data) => Readonly<Record<string, string>>;
  /** For a GET with the same answer for all callers, or for all requests of an agent. Unset: not cached. */
  readonly cached?: CacheRule;
}

export interface Shape {
  readonly apply: (value: unknown, variables: Data) => unknown;
  readonly describe: (described: JsonSchema) => JsonSchema;
}

/** Answers are cached until a dependency of their Query fields changes, or for ever. */
interface CacheRule {
  /** `viewer`: one answer per agent, whose key is looked up each time. */
  readonly for: 'everybody' | 'viewer';
  readonly immutable?: (data: Data) => boolean;
}

export interface StreamRoute {
  readonly path: string;
  readonly limit: LimitName;
  /** Throws for a refused request before the first byte. `HEAD` has the status and headers of `GET`. */
  readonly answer: (request: Request, response: Response) => Promise<void>;
}

/** REST's name for a name of GraphQL. */
export function snakeCased(field: string): string {
  return field.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
}
