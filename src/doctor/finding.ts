import type { Variables } from '../command-line.ts';
import type { Config } from '../config.ts';

/** What the checks look at. */
export interface Site {
  readonly config: Config;
  readonly variables: Variables;
  /** The machine's clock. */
  readonly now: () => Date;
  /** The row of that table as JSON; null before the database was reached, and in one that is empty. */
  platform: Readonly<Record<string, unknown>> | null;
}

/** What is wrong, or only worth knowing, in a sentence. */
export interface Finding {
  readonly check: string;
  readonly wrong: boolean;
  readonly what: string;
}

/** What a check says: of something wrong the sentence, of what is worth knowing a note; null of nothing. */
export type Said = string | { readonly note: string } | null;

type Checks<Given> = Readonly<Record<string, (given: Given) => Promise<readonly Said[]> | readonly Said[]>>;

/** What the checks find, one after the other; one that fails says why. */
export async function findings<Given>(checks: Checks<Given>, given: Given): Promise<readonly Finding[]> {
  const found: Finding[] = [];
  for (const [check, look] of Object.entries(checks)) {
    const said = await (async () => look(given))().catch((error: unknown) => [sentenceOf(error)]);
    for (const one of said)
      if (one !== null)
        found.push({ check, wrong: typeof one === 'string', what: typeof one === 'string' ? one : one.note });
  }
  return found;
}

/** Of an error that is several, such as a failure at each address of a name, all of them. */
export function sentenceOf(error: unknown): string {
  const parts: readonly unknown[] = error instanceof AggregateError ? error.errors : [error];
  return parts.map((one) => (one instanceof Error ? one.message : String(one))).join('; ');
}
