import type { Route } from './addresses.ts';

/**
 * The text of a GraphQL operation of the page, with the types that code generation found for its answer and its variables.
 * Those two exist for the checker alone.
 */
export type Document<Answer, Variables> = string & { readonly answer?: Answer; readonly variables?: Variables };

/** The name of an operation, which is the second word of its text. */
export function nameOf(document: string): string {
  return document.split(/\W/, 2)[1] ?? '';
}

/** What the page is given with its HTML, by the names of operations: what each was asked with, and its answer. */
export type FirstAnswers = Readonly<Record<string, FirstAnswer>>;

export interface FirstAnswer {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly data: unknown;
}

/** What a page is drawn of before its scripts run. */
export interface Drawn {
  /** Null where the address is none of the page's. */
  readonly route: Route | null;
  /** The page's own, such as `https://example.org`. */
  readonly origin: string;
  readonly answers: FirstAnswers;
  /** Whether all but the first sight is left out, so that it is painted sooner. */
  readonly isBrief: boolean;
}

/** The id of the element that holds the first answers. */
export const FIRST_ANSWERS_ID = 'first-answers';
