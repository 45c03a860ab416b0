import { readFileSync } from 'node:fs';

import type { GraphQLSchema } from 'graphql';

import { ENDPOINTS } from '../rest/endpoints.ts';
import { openApiDocument } from './document.ts';
import type { Example } from './endpoint-operation.ts';
import type { OpenApi } from './openapi.ts';

const EXAMPLES = new URL('./examples.json', import.meta.url);

interface ReferenceParts {
  readonly schema: GraphQLSchema;
  /** Of the service. */
  readonly version: string;
}

/** The reference of this service: THE TABLE with its examples. It takes a tenth of a second of the processor. */
export function serviceReference(parts: ReferenceParts): OpenApi {
  const examples: Readonly<Record<string, Example>> = JSON.parse(readFileSync(EXAMPLES, 'utf8'));
  return openApiDocument({ ...parts, endpoints: ENDPOINTS, examples });
}
