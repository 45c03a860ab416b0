import type { Route } from './addresses.ts';

/** The text of a GraphQL operation. Its two properties exist only for the type checker, with the generated types. */
export type Document<Answer, Variables> = string & { readonly answer?: Answer; readonly variables?: Variables };

/** The second word of its text. */
export function nameOf(document: string): string {
  return document.split(/\W/, 2)[1] ?? '';
}

/** Variables and answers in the page's HTML, by operation names. */
export type FirstAnswers = Readonly<Record<string, FirstAnswer>>;

export interface FirstAnswer {
  readonly variables: Readonly<Record<string, unknown>>;
  readonly data: unknown;
}

export interface Drawn {
  /** Null for unknown addresses. */
  readonly route: Route | null;
  /** The page's origin, such as `https://example.org`. */
  readonly origin: string;
  readonly answers: FirstAnswers;
  /** True: only the part visible without scrolling is rendered, to paint it sooner. */
  readonly isBrief: boolean;
}

export const FIRST_ANSWERS_ID = 'first-answers';
