import type { Variables } from '../command-line.ts';
import type { Config } from '../config.ts';
import { reason } from '../database/failures.ts';
import { StartError } from '../rules/errors.ts';

export interface Deployment {
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
    const remarks = await (async () => look(given))().catch((error: unknown) => [
      error instanceof StartError ? error.message : reason(error),
    ]);
    for (const one of remarks)
      if (one !== null)
        found.push({ check, wrong: typeof one === 'string', what: typeof one === 'string' ? one : one.note });
  }
  return found;
}
