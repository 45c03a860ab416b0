import type { Variables } from '../command-line.ts';
import type { Config } from '../config.ts';

export interface Site {
  readonly config: Config;
  readonly variables: Variables;
  readonly now: () => Date;
  /** The row of `platform` as JSON; null before the database responds, and in an empty one. */
  platform: Readonly<Record<string, unknown>> | null;
}

/** A problem, or a note. */
export interface Finding {
  readonly check: string;
  readonly wrong: boolean;
  readonly what: string;
}

/** A sentence for a problem, a note, or null. */
export type Remark = string | { readonly note: string } | null;

type Checks<Given> = Readonly<Record<string, (given: Given) => Promise<readonly Remark[]> | readonly Remark[]>>;

export async function findings<Given>(checks: Checks<Given>, given: Given): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const [check, look] of Object.entries(checks)) {
    const remarks = await (async () => look(given))().catch((error: unknown) => [sentenceOf(error)]);
    for (const one of remarks)
      if (one !== null)
        found.push({ check, wrong: typeof one === 'string', what: typeof one === 'string' ? one : one.note });
  }
  return found;
}

/** All messages of an aggregate error, such as a failure at each address of a name. */
export function sentenceOf(error: unknown): string {
  const parts: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  return parts.map((one) => (one instanceof Error ? one.message : String(one))).join('; ');
}
