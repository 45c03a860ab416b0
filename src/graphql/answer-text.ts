import type { GraphQLFormattedError } from 'graphql';

import type { Executed } from './execution.ts';
import { AnswerText } from './resolve-info.ts';

/** An answer whose data may hold `AnswerText`. */
interface Answer {
  readonly errors?: readonly GraphQLFormattedError[] | undefined;
  readonly data?: Executed['data'] | undefined;
  readonly extensions?: unknown;
}

/** The text of an answer: members in Apollo's order, and its newline behind them. */
export function answerText({ errors, data, extensions }: Answer): string {
  const members = [
    ...(errors === undefined ? [] : [`"errors":${JSON.stringify(errors)}`]),
    ...(data === undefined ? [] : [`"data":${dataText(data)}`]),
    ...(extensions === undefined ? [] : [`"extensions":${JSON.stringify(extensions)}`]),
  ];
  return `{${members.join(',')}}\n`;
}

/** As JSON.stringify, with what has been text before in its places. */
function dataText(data: Executed['data']): string {
  if (data === null) return 'null';
  const members = Object.entries(data).map(([key, value]) => {
    return `"${key}":${value instanceof AnswerText ? value.json : JSON.stringify(value)}`;
  });
  return `{${members.join(',')}}`;
}
