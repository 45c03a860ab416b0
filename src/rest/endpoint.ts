import type { Request, Response } from 'express';

import type { LimitName } from '../limits.ts';
import type { DomainError, ErrorCode } from '../rules/errors.ts';
import type { Described } from './described.ts';

/** What a document's data looks like: the fields that it asks for. */
export type Data = Readonly<Record<string, unknown>>;

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/**
 * One REST endpoint. The document is the body: its aliases do the renaming, and its variables carry the names and
 * types of the parameters. A variable that stands in the path comes from there, one in `headers` from that header,
 * every other from the query (GET) or the JSON body (all others), unless `inQuery` names it.
 */
export interface Endpoint {
  readonly method: Method;
  /** Parameters in braces, as in the spec. */
  readonly path: string;
  /** What it is for, in a line of the reference. */
  readonly summary: string;
  readonly limit: LimitName;
  /** 200 unless given. */
  readonly success?: 201;
  /** Where the status depends on what was done. */
  readonly successOf?: (data: Data) => 200 | 201;
  /** What each of them means, where there are two. */
  readonly means?: Readonly<Record<200 | 201, string>>;
  readonly document: string;
  /** Variables whose values, names of the schema in capitals, requests write in lower case. */
  readonly lowerCase?: readonly string[];
  /** Variable name to header name. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly inQuery?: readonly string[];
  /** The 404 when the first field of the data is null. */
  readonly missing?: (variables: Data) => DomainError;
  /** What it refuses beside what all do: bad parameters, keys, limits, what is `missing`. */
  readonly refusals?: readonly ErrorCode[];
  /** Its refusals stand in the agent's record of rounds, those too of what could not be read. */
  readonly recordsRefusals?: true;
  /** Where keys depend on the data and GraphQL cannot spell the body. */
  readonly shape?: Shape;
  /** For an answer that is not JSON. */
  readonly text?: TextAnswer;
  readonly answerHeaders?: (data: Data) => Readonly<Record<string, string>>;
  /** For a GET that answers everybody, or each agent, alike: its answer is kept. Unset: it is worked out for each request. */
  readonly cached?: Cached;
}

/** A change of JSON data, and the same change of what describes the data. */
export interface Shape {
  readonly apply: (value: unknown, variables: Data) => unknown;
  readonly describe: (described: Described) => Described;
}

/** An answer holds until something changes that its document's fields of Query depend on, or for ever. */
interface Cached {
  /** `viewer`: each agent has an answer of its own, for which its key is looked up each time. */
  readonly for: 'everybody' | 'viewer';
  /** Whether it will never be another. */
  readonly immutable?: (data: Data) => boolean;
}

/** An answer of another content type than JSON, and its text. */
interface TextAnswer {
  readonly contentType: string;
  readonly of: (data: Data) => string;
}

/** A GET whose answer is written bit by bit: it has no document, but limits, refusals and errors as every endpoint. */
export interface StreamRoute {
  readonly path: string;
  readonly limit: LimitName;
  /** Throws for a request that it does not take, before the first byte. */
  readonly answer: (request: Request, response: Response) => Promise<void>;
}
