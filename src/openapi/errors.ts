import { type JsonSchema, objectOf } from '../rest/described.ts';
import { ERROR_REASONS, type ErrorCode, REASONS } from '../rules/errors.ts';
import { component } from './openapi.ts';

export function reasonLines(kind?: ErrorCode): string {
  return REASONS.filter((reason) => kind === undefined || ERROR_REASONS[reason].code === kind)
    .map((reason) => `- \`${reason}\`: ${ERROR_REASONS[reason].meaning}`)
    .join('\n');
}

const SENTENCE: JsonSchema = { type: 'string', description: 'One sentence: what must hold, and what was given.' };
const CODE: JsonSchema = { ...component('schemas', 'ErrorCode'), description: 'The error code, for programs.' };
const PARAM: JsonSchema = { type: 'string', description: 'The parameter or field that is refused.' };

export function errorSchemas(): Readonly<Record<string, JsonSchema>> {
  const always = objectOf({ error: SENTENCE, code: CODE }, 'Why a request was refused.');
  const ofField = objectOf({ param: PARAM, code: CODE, error: SENTENCE }, 'One parameter or field.');
  return {
    Error: {
      ...always,
      properties: {
        ...always.properties,
        param: PARAM,
        errors: {
          type: 'array',
          items: ofField,
          description: 'Every parameter and field that is refused; `error` is about the first.',
        },
        endpoint: { type: 'string', description: 'The name of the reached limit.' },
        limit: { type: 'integer', description: 'Requests that the limit allows in a window.' },
        window_seconds: { type: 'integer', description: 'The length of the window.' },
        retry_after: { type: 'integer', description: 'Whole real seconds to wait before the next try.' },
      },
    },
    ErrorCode: {
      type: 'string',
      description: `Within a major version codes keep their names and meanings; new ones may be added.\n\n${reasonLines()}`,
      enum: REASONS,
    },
  };
}
